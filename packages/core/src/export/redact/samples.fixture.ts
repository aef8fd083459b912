/** Secrets for tests, made as the tests run, so that no scanner of the repository takes the repository for leaking. */

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const HEX = `${DIGITS}abcdef`;
const UPPER = LOWER.toUpperCase();
const ALPHANUMERIC = UPPER + LOWER + DIGITS;
const BASE64 = `${ALPHANUMERIC}+/`;
const BASE64_URL = `${ALPHANUMERIC}-_`;

/** Letters that look random and are the same every time. */
function letters(alphabet: string, length: number, seed = 1): string {
  let state = (seed * 2_654_435_761) >>> 0;
  let made = "";
  while (made.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    made += alphabet.charAt(Math.floor((state / 2 ** 32) * alphabet.length));
  }
  return made;
}

export const hex = (length: number, seed?: number) => letters(HEX, length, seed);
export const alphanumeric = (length: number, seed?: number) => letters(ALPHANUMERIC, length, seed);
export const base64 = (length: number, seed?: number) => letters(BASE64, length, seed);
export const base64Url = (length: number, seed?: number) => letters(BASE64_URL, length, seed);
const upper = (length: number, seed?: number) => letters(`${UPPER}234567`, length, seed);
export const digits = (length: number, seed?: number) => letters(DIGITS, length, seed);

/** A token for each format, as its provider makes them. */
export const tokenSamples: readonly [type: string, token: string][] = [
  ["session-manager-token", `sm_${base64Url(43)}`],
  ["jwt", `ey${"J"}hbGciOiJIUzI1NiJ9.ey${"J"}${base64Url(60)}.${base64Url(43)}`],
  ["jwt", `ey${"J"}hbGciOiJub25lIn0.ey${"J"}${base64Url(60)}.`],
  ["anthropic-key", `sk-ant-api03-${base64Url(93)}AA`],
  ["anthropic-key", `sk-ant-oat01-${base64Url(93)}AA`],
  ["openai-key", `sk-${alphanumeric(20)}T3Blbk${"FJ"}${alphanumeric(20, 2)}`],
  ["openai-key", `sk-proj-${base64Url(74)}T3Blbk${"FJ"}${base64Url(74, 2)}`],
  ["openai-key", `sk-svcacct-${base64Url(120)}`],
  ["openai-key", `sk-${hex(32)}`],
  ["openrouter-key", `sk-or-v1-${hex(64)}`],
  ["groq-key", `gsk_${alphanumeric(52)}`],
  ["xai-key", `xai-${alphanumeric(80)}`],
  ["hugging-face-token", `hf_${letters(LOWER + UPPER, 34)}`],
  ["perplexity-key", `pplx-${alphanumeric(48)}`],
  ["replicate-token", `r8_${alphanumeric(37)}`],
  ["nvidia-key", `nvapi-${base64Url(64)}`],
  ["together-key", `tgp_v1_${base64Url(43)}`],
  ["fireworks-key", `fw_${alphanumeric(24)}`],
  ["cerebras-key", `csk-${alphanumeric(48)}`],
  ["langsmith-key", `lsv2_pt_${hex(32)}_${hex(10)}`],
  ["langfuse-key", "sk-lf-0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0"],
  ["pinecone-key", `pcsk_${alphanumeric(6)}_${alphanumeric(63)}`],
  ["tavily-key", `tvly-dev-${alphanumeric(32)}`],
  ["firecrawl-key", `fc-${hex(32)}`],
  ["context7-key", `ctx7sk-${hex(8)}-${hex(24)}`],
  ...["ghp", "gho", "ghu", "ghs", "ghr"].map((kind): [string, string] => [
    "github-token",
    `${kind}_${alphanumeric(36)}`,
  ]),
  ["github-token", `github_pat_${alphanumeric(22)}_${alphanumeric(59)}`],
  ["gitlab-token", `glpat-${base64Url(20)}`],
  ["gitlab-token", `glpat-${base64Url(27)}.01.${letters(LOWER + DIGITS, 9)}`],
  ["gitlab-token", `glrt-${base64Url(20)}`],
  ["gitlab-token", `GR1348941${base64Url(20)}`],
  ["atlassian-token", `ATATT3x${base64Url(180)}=${hex(8)}`],
  ["atlassian-token", `ATBB${alphanumeric(32)}`],
  ["npm-token", `npm_${alphanumeric(36)}`],
  ["pypi-token", `pypi-AgEIcHlwaS5vcmc${base64Url(120)}`],
  ["rubygems-key", `rubygems_${hex(48)}`],
  ["crates-io-token", `cio${alphanumeric(32)}`],
  ["docker-token", `dckr_pat_${base64Url(27)}`],
  ["sonar-token", `squ_${hex(40)}`],
  ["sentry-token", `sntrys_${base64(120)}`],
  ["google-key", `AIza${base64Url(35)}`],
  ["google-token", `ya29.${base64Url(120)}`],
  ["google-token", `GOCSPX-${base64Url(28)}`],
  ["aws-access-key", `AKIA${upper(16)}`],
  ["aws-access-key", `ASIA${upper(16)}`],
  ["aws-bedrock-key", `ABSK${"QmVkcm9ja0FQSUtleS"}${base64(100)}=`],
  ["digitalocean-token", `dop_v1_${hex(64)}`],
  ["cloudflare-key", `v1.0-${hex(24)}-${hex(146)}`],
  ["vercel-token", `vercel_blob_rw_${alphanumeric(16)}_${alphanumeric(30)}`],
  ["netlify-token", `nfp_${alphanumeric(36)}`],
  ["heroku-key", `HRKU-${base64Url(60)}`],
  ["render-key", `rnd_${alphanumeric(32)}`],
  ["fly-token", `fm2_${base64(100)}`],
  ["alibaba-key", `LTAI${alphanumeric(20)}`],
  ["tencent-key", `AKID${alphanumeric(32)}`],
  ["vault-token", `hvs.${base64Url(90)}`],
  ["pulumi-token", `pul-${hex(40)}`],
  ["doppler-token", `dp.pt.${alphanumeric(43)}`],
  ["tailscale-key", `tskey-auth-${alphanumeric(12)}CNTRL-${alphanumeric(32)}`],
  ["onepassword-token", `ops_ey${"J"}${base64(300)}`],
  ["age-key", `AGE-SECRET-KEY-1${letters("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)}`],
  ["databricks-token", `dapi${hex(32)}-2`],
  ["supabase-key", `sbp_${hex(40)}`],
  ["planetscale-token", `pscale_tkn_${base64Url(43)}`],
  ["neon-key", `napi_${letters(LOWER + DIGITS, 64)}`],
  ["airtable-token", `pat${alphanumeric(14)}.${hex(64)}`],
  ["grafana-token", `glsa_${alphanumeric(32)}_${hex(8)}`],
  ["new-relic-key", `NRAK-${letters(UPPER + DIGITS, 27)}`],
  ["posthog-key", `phx_${alphanumeric(43)}`],
  ["slack-token", `xoxb-${digits(12)}-${digits(12, 2)}-${alphanumeric(24)}`],
  ["slack-token", `xoxe.xoxp-1-${base64Url(140)}`],
  ["slack-token", `xapp-1-A${upper(10)}-${digits(13)}-${hex(64)}`],
  ["slack-webhook", `hooks.slack.com/services/T${upper(8)}/B${upper(8, 2)}/${alphanumeric(24)}`],
  ["discord-webhook", `discord.com/api/webhooks/${digits(18)}/${base64Url(68)}`],
  ["discord-token", `MT${alphanumeric(24)}.G${alphanumeric(5)}.${base64Url(38)}`],
  ["telegram-token", `${digits(10, 3)}:AA${base64Url(33)}`],
  ["stripe-key", `sk_live_${alphanumeric(24)}`],
  ["stripe-key", `rk_test_${alphanumeric(99)}`],
  ["stripe-key", `whsec_${alphanumeric(32)}`],
  ["elevenlabs-key", `sk_${hex(48)}`],
  ["sendgrid-key", `SG.${base64Url(22)}.${base64Url(43)}`],
  ["twilio-key", `SK${hex(32)}`],
  ["mailgun-key", `key-${hex(32)}`],
  ["mailchimp-key", `${hex(32)}-us12`],
  ["private-key", `MHcCAQ${"EEI"}${base64(150)}==`],
  ["private-key", `b3BlbnNzaC1r${"ZXktdjE"}${base64(400)}`],
  ["brevo-key", `xkeysib-${hex(64)}-${alphanumeric(16)}`],
  ["firebase-key", `AAAA${base64Url(7)}:APA91${"b"}${base64Url(134)}`],
  ["resend-key", `re_${alphanumeric(8)}_${alphanumeric(24)}`],
  ["shopify-token", `shpat_${hex(32)}`],
  ["square-token", `sq0csp-${base64Url(43)}`],
  ["linear-key", `lin_api_${alphanumeric(40)}`],
  ["notion-token", `ntn_${alphanumeric(46)}`],
  ["notion-token", `secret_${alphanumeric(43)}`],
  ["figma-token", `figd_${base64Url(40)}`],
  ["postman-key", `PMAK-${hex(24)}-${hex(34)}`],
  ["azure-client-secret", `${alphanumeric(3)}8Q~${base64Url(34)}`],
  ["terraform-token", `${alphanumeric(14)}.atlasv1.${base64Url(67)}`],
];

/** A private key in PEM, of a length as RSA has it. */
export function pem(kind = "RSA ", lines = 25): string {
  const body = Array.from({ length: lines }, (_, line) => base64(64, line + 1)).join("\n");
  return `-----BEGIN ${kind}PRIVATE KEY-----\n${body}\n${base64(30)}==\n-----END ${kind}PRIVATE KEY-----`;
}
