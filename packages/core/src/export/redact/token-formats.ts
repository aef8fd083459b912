/** Format of a provider's tokens with a prefix. */
export interface TokenFormat {
  /** Type in the placeholder. */
  type: string;
  starts: readonly string[];
  /**
   * The part after the prefix. Nothing may be required after an unbounded run, because a text of prefixes would take
   * quadratic time; a long enough run is a token, regardless of today's length.
   */
  rest: RegExp;
}

const ALPHANUMERIC = /[A-Za-z0-9]{20,}/;
const BASE64_URL = /[A-Za-z0-9_-]{20,}/;
const HEX_32 = /[0-9a-f]{32,}/;

/**
 * From the providers' documentation; GitHub's list of issuers:
 * https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
 */
export const tokenFormats: readonly TokenFormat[] = [
  // Ours: packages/core/src/node/state/tokens.ts
  { type: "session-manager-token", starts: ["sm_"], rest: /[\w-]{43}(?![\w-])/ },

  // RFC 7519, in the compact form of RFC 7515: both JSON objects start with `{"`. Its parts may have any length, so it
  // must not start within another one.
  { type: "jwt", starts: ["eyJ"], rest: /(?<![-_]eyJ)[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}/ },

  // RFC 5958, RFC 8017, RFC 5915 and OpenSSH's PROTOCOL.key: private keys in base64 without the lines around them
  {
    type: "private-key",
    starts: [
      ...["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "MIIEvAIBADANBgkqhkiG9w0BAQEFAASC", "MIIEvgIBADANBgkqhkiG9w0BAQEFAASC"],
      ...["MIIEpAIBAAKCAQEA", "MIIEowIBAAKCAQEA", "MIIEogIBAAKCAQEA", "MIIJKQIBAAKCAgEA", "MIIJKAIBAAKCAgEA"],
      ...["MIGHAgEAMBMGByqGSM49AgEG", "MHcCAQEEI", "MC4CAQAwBQYDK2VwBCIEI", "b3BlbnNzaC1rZXktdjE"],
    ],
    rest: /[A-Za-z0-9+/]{20,}={0,2}/,
  },

  // Models
  // https://docs.anthropic.com/en/api/overview: API keys, admin keys, and OAuth tokens of its programs
  { type: "anthropic-key", starts: ["sk-ant-"], rest: BASE64_URL },
  // https://platform.openai.com/docs/api-reference/authentication: keys of a project, a service account, an organization
  { type: "openai-key", starts: ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", "sk-service-"], rest: BASE64_URL },
  // The older form, also used by DeepSeek, Moonshot, DashScope and other compatible services.
  { type: "openai-key", starts: ["sk-"], rest: ALPHANUMERIC },
  // https://openrouter.ai/docs/api-reference/authentication
  { type: "openrouter-key", starts: ["sk-or-"], rest: BASE64_URL },
  // https://console.groq.com/keys
  { type: "groq-key", starts: ["gsk_"], rest: ALPHANUMERIC },
  // https://docs.x.ai/docs/overview
  { type: "xai-key", starts: ["xai-"], rest: ALPHANUMERIC },
  // https://huggingface.co/docs/hub/security-tokens
  { type: "hugging-face-token", starts: ["hf_", "api_org_"], rest: ALPHANUMERIC },
  // https://docs.perplexity.ai/getting-started/quickstart
  { type: "perplexity-key", starts: ["pplx-"], rest: ALPHANUMERIC },
  // https://replicate.com/docs/topics/security/api-tokens
  { type: "replicate-token", starts: ["r8_"], rest: ALPHANUMERIC },
  // https://docs.api.nvidia.com
  { type: "nvidia-key", starts: ["nvapi-"], rest: BASE64_URL },
  // https://docs.together.ai, https://docs.fireworks.ai, https://inference-docs.cerebras.ai
  { type: "together-key", starts: ["tgp_v1_"], rest: BASE64_URL },
  { type: "fireworks-key", starts: ["fw_"], rest: ALPHANUMERIC },
  { type: "cerebras-key", starts: ["csk-"], rest: ALPHANUMERIC },
  // https://docs.smith.langchain.com, https://langfuse.com/docs
  { type: "langsmith-key", starts: ["lsv2_pt_", "lsv2_sk_"], rest: /[\da-f]{16,}(?:_[\da-f]+)?/ },
  { type: "langfuse-key", starts: ["sk-lf-"], rest: /[\da-f-]{32,}/ },
  { type: "pinecone-key", starts: ["pcsk_"], rest: BASE64_URL },
  { type: "tavily-key", starts: ["tvly-"], rest: BASE64_URL },
  { type: "firecrawl-key", starts: ["fc-"], rest: HEX_32 },
  { type: "context7-key", starts: ["ctx7sk-"], rest: BASE64_URL },

  // Code and packages
  // https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats
  {
    type: "github-token",
    starts: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    rest: /[A-Za-z0-9]{20,}|\d+_eyJ[\w.-]{20,}/,
  },
  { type: "github-token", starts: ["github_pat_"], rest: /\w{20,}/ },
  // https://docs.gitlab.com/security/tokens/#token-prefixes
  {
    type: "gitlab-token",
    starts: [
      ...["glpat-", "gloas-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "glwt-"],
      ...["glsoat-", "glffct-", "GR1348941"],
    ],
    rest: /[\w-]{20,}(?:\.[\w-]+){0,3}/,
  },
  // https://support.atlassian.com/bitbucket-cloud/docs/api-tokens, https://id.atlassian.com
  { type: "atlassian-token", starts: ["ATATT3", "ATCTT3", "ATBB"], rest: /[\w=-]{20,}/ },
  // https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format
  { type: "npm-token", starts: ["npm_"], rest: /[A-Za-z0-9]{30,}/ },
  // https://pypi.org/help/#apitoken: a macaroon in base64, whose beginning is always the same
  { type: "pypi-token", starts: ["pypi-"], rest: /[\w-]{32,}/ },
  // https://guides.rubygems.org/api-key-scopes, https://doc.rust-lang.org/cargo/reference/publishing.html
  { type: "rubygems-key", starts: ["rubygems_"], rest: HEX_32 },
  { type: "crates-io-token", starts: ["cio"], rest: /[A-Za-z0-9]{32}(?![A-Za-z0-9])/ },
  // https://docs.docker.com/security/access-tokens
  { type: "docker-token", starts: ["dckr_pat_", "dckr_oat_"], rest: BASE64_URL },
  // https://docs.sonarsource.com
  { type: "sonar-token", starts: ["sqp_", "sqa_", "squ_"], rest: HEX_32 },
  // https://docs.sentry.io/account/auth-tokens
  { type: "sentry-token", starts: ["sntrys_", "sntryu_"], rest: /[\w+/=-]{20,}/ },

  // Clouds
  // https://docs.cloud.google.com/docs/authentication/api-keys, https://developers.google.com/identity/protocols/oauth2
  { type: "google-key", starts: ["AIza"], rest: /[\w-]{35}/ },
  { type: "google-key", starts: ["AQ.Ab8"], rest: /[\w-]{30,}/ },
  // https://firebase.google.com/docs/cloud-messaging: keys of servers
  { type: "firebase-key", starts: ["AAAA"], rest: /[\w-]{7}:APA91b[\w-]{100,}/ },
  { type: "google-token", starts: ["ya29.", "GOCSPX-", "1//0"], rest: BASE64_URL },
  // https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html; access keys: aws.ts
  { type: "aws-bedrock-key", starts: ["ABSKQmVkcm9ja0FQSUtleS"], rest: /[A-Za-z0-9+/=]{20,}/ },
  { type: "aws-bedrock-key", starts: ["bedrock-api-key-"], rest: /[A-Za-z0-9+/=]{20,}/ },
  // https://docs.digitalocean.com/reference/api/create-personal-access-token
  { type: "digitalocean-token", starts: ["dop_v1_", "doo_v1_", "dor_v1_"], rest: HEX_32 },
  // https://developers.cloudflare.com/fundamentals/api/get-started/ca-keys, …/fundamentals/api/get-started/create-token
  { type: "cloudflare-key", starts: ["v1.0-"], rest: /[0-9a-f]{24}-[0-9a-f]{64,}/ },
  { type: "cloudflare-token", starts: ["cfut_", "cfat_", "cfk_"], rest: BASE64_URL },
  // https://vercel.com/docs/rest-api
  { type: "vercel-token", starts: ["vcp_", "vci_", "vca_", "vcr_", "vck_", "vercel_blob_rw_"], rest: /\w{20,}/ },
  { type: "netlify-token", starts: ["nfp_"], rest: ALPHANUMERIC },
  { type: "heroku-key", starts: ["HRKU-"], rest: BASE64_URL },
  { type: "render-key", starts: ["rnd_"], rest: ALPHANUMERIC },
  { type: "fly-token", starts: ["fm1a_", "fm1r_", "fm2_", "fo1_"], rest: /[\w+/=-]{32,}/ },
  { type: "alibaba-key", starts: ["LTAI"], rest: /[A-Za-z0-9]{12,}/ },
  { type: "tencent-key", starts: ["AKID"], rest: /[A-Za-z0-9]{32,}/ },
  // https://developer.hashicorp.com/vault/docs/concepts/tokens
  { type: "vault-token", starts: ["hvs.", "hvb.", "hvr."], rest: BASE64_URL },
  { type: "pulumi-token", starts: ["pul-"], rest: HEX_32 },
  { type: "doppler-token", starts: ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."], rest: /[\w.-]{30,}/ },
  { type: "tailscale-key", starts: ["tskey-"], rest: BASE64_URL },
  { type: "onepassword-token", starts: ["ops_eyJ"], rest: /[A-Za-z0-9+/=_-]{32,}/ },
  { type: "age-key", starts: ["AGE-SECRET-KEY-1"], rest: /[A-Z0-9]{20,}/ },

  // Databases and data
  // https://docs.databricks.com/dev-tools/auth/pat.html
  { type: "databricks-token", starts: ["dapi"], rest: /[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])/ },
  // https://supabase.com/docs/guides/api/api-keys
  { type: "supabase-key", starts: ["sbp_", "sb_secret_"], rest: BASE64_URL },
  { type: "planetscale-token", starts: ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], rest: /[\w.=-]{20,}/ },
  { type: "neon-key", starts: ["napi_"], rest: ALPHANUMERIC },
  { type: "airtable-token", starts: ["pat"], rest: /[A-Za-z0-9]{14}\.[0-9a-f]{64}/ },
  { type: "grafana-token", starts: ["glc_", "glsa_"], rest: /[\w+/=]{20,}/ },
  { type: "new-relic-key", starts: ["NRAK-"], rest: /[A-Z0-9]{20,}/ },
  { type: "posthog-key", starts: ["phx_"], rest: ALPHANUMERIC },

  // Messages, payments, offices
  // https://docs.slack.dev/authentication/tokens
  {
    type: "slack-token",
    starts: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xoxd-", "xoxc-", "xapp-"],
    rest: /[\w.%-]{16,}/,
  },
  { type: "slack-webhook", starts: ["hooks.slack.com/"], rest: /(?:services|workflows|triggers)\/[\w/]{20,}/ },
  // https://discord.com/developers/docs/resources/webhook
  {
    type: "discord-webhook",
    starts: ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
    rest: /\d{10,20}\/[\w-]{20,}/,
  },
  // https://docs.stripe.com/keys, which others (Clerk, ElevenLabs) write alike
  { type: "stripe-key", starts: ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"], rest: /[\w+/=]{16,}/ },
  { type: "elevenlabs-key", starts: ["sk_"], rest: /[0-9a-f]{40,}/ },
  // https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys
  { type: "sendgrid-key", starts: ["SG."], rest: /[\w-]{16,32}\.[\w-]{16,}/ },
  // https://www.twilio.com/docs/iam/api-keys
  { type: "twilio-key", starts: ["SK"], rest: /[0-9a-f]{32}(?![A-Za-z0-9])/ },
  { type: "mailgun-key", starts: ["key-"], rest: /[0-9a-f]{32}(?![A-Za-z0-9])/ },
  // https://developers.brevo.com/docs/getting-started
  { type: "brevo-key", starts: ["xkeysib-"], rest: /[0-9a-f]{32,}(?:-\w+)?/ },
  { type: "resend-key", starts: ["re_"], rest: /[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,}/ },
  // https://shopify.dev/docs/apps/build/authentication-authorization
  { type: "shopify-token", starts: ["shpat_", "shpca_", "shppa_", "shpss_"], rest: HEX_32 },
  { type: "square-token", starts: ["sq0atp-", "sq0csp-", "EAAAE"], rest: BASE64_URL },
  // https://linear.app/developers, https://developers.notion.com/reference/authentication, https://www.figma.com/developers/api
  { type: "linear-key", starts: ["lin_api_", "lin_oauth_"], rest: ALPHANUMERIC },
  { type: "notion-token", starts: ["ntn_"], rest: ALPHANUMERIC },
  { type: "notion-token", starts: ["secret_"], rest: /[A-Za-z0-9]{43}(?![A-Za-z0-9])/ },
  { type: "figma-token", starts: ["figd_"], rest: BASE64_URL },
  { type: "postman-key", starts: ["PMAK-"], rest: /[0-9a-f]{24}-[0-9a-f]{20,}/ },
];
