import { describe, expect, it } from "vitest";
import { Redactor } from "./redactor.ts";
import { alphanumeric, base64, base64Url, hex, pem, tokenSamples } from "./samples.fixture.ts";
import { tokenFormats } from "./token-formats.ts";

function redact(text: string, cwd = "/home/alice/project"): string {
  const redactor = new Redactor();
  redactor.learn(cwd);
  return redactor.text(text, null);
}

/** As it stands in a program, not replaced. */
const TEMPLATE = "$".concat("{name}");

/** Removes the numbers, which say nothing where a text has one secret. */
const kinds = (text: string) => redact(text).replace(/(\[redacted:[a-z0-9-]+)-\d+\]/g, "$1]");

describe("tokens", () => {
  it("have a sample for each format", () => {
    const sampled = new Set(tokenSamples.map(([type]) => type));
    expect(tokenFormats.map(({ type }) => type).filter((type) => !sampled.has(type))).toEqual(["cloudflare-token"]);
  });

  describe.each(tokenSamples)("%s", (type, token) => {
    it.each<[string, (token: string) => string]>([
      ["alone", (token) => token],
      ["in a sentence", (token) => `The key is ${token}, take it.`],
      ["in quotes", (token) => `fetch(url, { key: '${token}' })`],
      ["in an environment", (token) => `export SOME_VARIABLE=${token}\nnext`],
      ["in JSON in a string", (token) => `{\\"value\\":\\"${token}\\",\\n\\"next\\":1}`],
      ["behind an escaped line end", (token) => `one\\n${token}\\ntwo`],
      ["behind a colour", (token) => `\u001b[32m${token}\u001b[0m`],
      ["in an address", (token) => `https://example.org/?q=${token}&x=1`],
      ["in Markdown", (token) => `- \`${token}\``],
    ])("is found %s", (_, within) => {
      expect(kinds(within(token))).toBe(within(`[redacted:${type}]`));
    });
  });
});

describe("secrets without a format of their own", () => {
  const awsSecret = base64(40);
  it.each([
    // AWS
    [`aws_access_key_id = AKIA${"IOSFODNN7EXAMPLE"}\naws_secret_access_key = ${awsSecret}`, awsSecret],
    [`AKIA${"IOSFODNN7EXAMPLE"},${awsSecret}`, awsSecret],
    [`"AccessKeyId": "AKIA${"IOSFODNN7EXAMPLE"}", "SecretAccessKey": "${awsSecret}"`, awsSecret],
    [`aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCY${"EXAMPLEKEY"}`, "wJalrXUtnFEMI"],
    // Private keys
    [pem(), "-----"],
    [pem("EC ", 2), "-----"],
    [pem("OPENSSH "), "-----"],
    [pem(""), "-----"],
    [pem("ENCRYPTED "), "-----"],
    [pem().replaceAll("\n", "\r\n"), "-----"],
    [`{"private_key": ${JSON.stringify(`${pem("")}\n`)}}`, "-----"],
    [pem().replaceAll("\n", "\\\\n"), "-----"],
    [pem().replace(/^/gm, "    12→"), base64(64, 3)],
    [pem().replace(/-----END.*/s, ""), base64(64, 3)],
    [`-----BEGIN PRIVATE KEY-----\nMIIEvQ...\n-----END PRIVATE KEY-----`, "MIIEvQ"],
    [
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${base64(64)}\n=AbCd\n-----END PGP PRIVATE KEY BLOCK-----`,
      "GnuPG",
    ],
    // HTTP
    [`Authorization: Bearer ${alphanumeric(24)}`, alphanumeric(24)],
    [`curl -H "Authorization: Bearer ${alphanumeric(24)}" https://example.org`, alphanumeric(24)],
    [`{"authorization": "Basic ${base64(24)}"}`, base64(24)],
    [`{\\"Authorization\\":\\"token ${hex(40)}\\"}`, hex(40)],
    [`proxy-authorization: Basic dXNlcjpw${"YXNz"}`, "dXNlcjpw"],
    [`sent with bearer ${hex(32)} as usual`, hex(32)],
    [`X-Api-Key: ${hex(32)}`, hex(32)],
    ["Cookie: session=abcdef; theme=dark", "abcdef"],
    ["Set-Cookie: sid=s%3Aabc123; Path=/; HttpOnly; SameSite=Lax", "abc123"],
    ['"cookie": "a=first; b=second"', "second"],
    ["curl --cookie 'sid=abc123' https://example.org", "abc123"],
    // Addresses
    ["postgres://app:hunter2@db.example.org:5432/app", "hunter2"],
    ["mongodb+srv://me:p@ss:w0rd@cluster0.example.net/?x=1", "ss:w0rd"],
    ["redis://:hunter2@localhost:6379", "hunter2"],
    ["https://x-access-token:secretvalue@github.com/a/b.git", "secretvalue"],
    [`https://${hex(32)}@sentry.example.org/1`, hex(32)],
    [`https://x.blob.core.windows.net/a?sv=2022-11-02&sig=${alphanumeric(40)}%3D`, alphanumeric(40)],
    [`DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${base64(86)}==;EndpointSuffix=y`, base64(86)],
    ["Server=tcp:db,1433;User ID=sa;Password=Hunter-2!;Encrypt=True", "Hunter-2!"],
    // Names
    ["DB_PASSWORD=hunter2", "hunter2"],
    ["JWT_SECRET=supersecretkey", "supersecret"],
    ['{\\\\\\"password\\\\\\":\\\\\\"hunter2\\\\\\"}', "hunter2"],
    ['password: "$ecret123"', "ecret123"],
    [`TOKEN=${alphanumeric(3000)}`, alphanumeric(3000).slice(-20)],
    [`"token": "${alphanumeric(3000)}"`, alphanumeric(3000).slice(-20)],
    ["export DB_PASSWORD=correcthorsebatterystaple", "correct"],
    ["password: hunter2", "hunter2"],
    ['"password": "hunter2"', "hunter2"],
    ['{\\"password\\":\\"hunter2\\"}', "hunter2"],
    ["const dbPassword = 'S3cret!pass';", "S3cret!"],
    ["const apiKey: string = 'abcd1234efgh5678';", "abcd1234"],
    ["API_KEY=abcd1234efgh5678", "abcd1234"],
    [`MISTRAL_API_KEY=${alphanumeric(32)}`, alphanumeric(32)],
    [`client_secret: ${alphanumeric(32)}`, alphanumeric(32)],
    [`os.environ["SERVICE_TOKEN"] = "${hex(32)}"`, hex(32)],
    [`secret: ${hex(32)}`, hex(32)],
    [`--password hunter2 --user bob`, "hunter2"],
    [`tool --api-key=${alphanumeric(20)}`, alphanumeric(20)],
    ["<password>hunter2</password>", "hunter2"],
    ["machine example.org login bob password hunter2", "hunter2"],
    [`//registry.npmjs.org/:_authToken=${alphanumeric(36)}`, alphanumeric(36)],
    [`{"auths":{"x":{"auth":"${base64(32)}"}}}`, base64(32)],
    [`GET /callback?access_token=${alphanumeric(30)}&state=1`, alphanumeric(30)],
    // The rest of a value that was cut off
    [`"api_key": "${alphanumeric(30)}`, alphanumeric(30)],
    // E-mail
    ["Ask alice@example.com about it.", "alice"],
    ["Author: Alice <alice.b+git@mail.example.co.uk>", "alice"],
    ["müller@exämple.de", "müller"],
    ["12345+alice@users.noreply.github.com", "alice"],
    ["?to=alice%40example.com", "alice"],
    ["mailto:alice@example.com", "alice"],
    ["https://example.org/users/alice@example.com/edit", "alice@"],
    // Homes
    ["/home/alice/project/a.ts", "alice"],
    ["cd /Users/bob", "bob"],
    ["C:\\Users\\Bob Smith\\code", "Bob"],
    ["C:\\\\Users\\\\bob\\\\code", "bob"],
    ["c:/Users/bob/code", "bob"],
    ["/mnt/c/Users/bob/code", "bob"],
    ["/c/Users/bob/code", "bob"],
    ["file:///home/bob/a", "bob"],
    ["/var/home/bob/a", "bob"],
    ["host:/home/bob/a", "bob"],
    ["PATH=/usr/bin:/home/bob/bin", "bob"],
    ["-I/home/bob/include", "bob"],
    ["one\\n/home/bob/two", "bob"],
    ["~/.pi/agent/sessions/--home-bob-project--/x.jsonl", "bob"],
    ["--Users-bob--", "bob"],
    ["--C--Users-bob-code--", "bob"],
    ["~/.claude/projects/-Users-bob-code/x", "bob"],
    ["/media/alice/disk", "alice"],
    ["alice@laptop:~$ ls", "alice"],
    ["ssh alice@server", "alice"],
    ["drwxr-xr-x 2 alice alice 4096 Jan 1 10:00 src", "alice"],
    ["ssh://alice@example.org/srv", "alice"],
  ])("%j", (text, secret) => {
    const redacted = redact(text);
    expect(redacted).not.toContain(secret);
    expect(redacted).toContain("[redacted:");
  });
});

describe("what is no secret", () => {
  it.each([
    // Hashes and ids
    hex(40),
    `commit ${hex(40)}\nindex ${hex(7)}..${hex(7, 2)} 100644`,
    `sha256:${hex(64)}`,
    `"integrity": "sha512-${base64(86)}=="`,
    `resolution: {integrity: sha512-${base64(86)}==}`,
    "0196a3c0-1111-7000-8000-000000000001",
    `data:image/png;base64,iVBORw0KGgo${base64(2000)}`,
    `data:font/woff2;base64,${base64(2000)}`,
    `{"id":"${hex(8)}","parentId":"${hex(8, 2)}"}`,
    "call_abc123DEF456ghi789JKL012",
    "toolu_01ABCDEFGHJKLMNPQRSTUVWX",
    `msg_${alphanumeric(24)}`,
    `AC${hex(32)}`,
    `pk_live_${alphanumeric(24)}`,
    base64Url(200),
    // Versions and packages
    "@types/node@20.19.43",
    "lodash@4.17.21 react@19.0.0-rc.1 x@1.2.3-beta.rc",
    "npm i @scope/package@1.2.3",
    "pkg@workspace:*",
    // No addresses of persons
    "git@github.com:owner/repository.git",
    "ssh://git@github.com/owner/repository.git",
    "Co-Authored-By: Agent <noreply@example.com>",
    "icon@2x.png getty@tty1.service user@1000.service",
    "@app.route('/x') @Component.x",
    "return@forEach.next this@MainActivity.finish()",
    "ssh deploy@server",
    "a @ b.c",
    // Placeholders and code
    "API_KEY=<your key>",
    "API_KEY=your_api_key_here",
    "API_KEY=YOUR-API-KEY-123",
    `OPENAI_API_KEY=sk-${"x".repeat(12)}`,
    "API_KEY=xxxxxxxxxxxxxxxx",
    `API_KEY=${TEMPLATE}`,
    "API_KEY=$OTHER",
    "API_KEY=***",
    "API_KEY=",
    "token: process.env.GITHUB_TOKEN2",
    "const apiKey = process.env.API_KEY_2 ?? '';",
    'password = os.environ["DB_PASSWORD"]',
    "password: string;",
    "password: z.string().min(8)",
    "secret: true",
    "token = parser.nextToken1();",
    "const token = await getToken2(32);",
    "token: nextToken1, password: hashed",
    '"token": "Punctuator"',
    '"type": "password"',
    '"password": "Password is required"',
    '"max_tokens": 4096, "input_tokens": 12345678, total_tokens=53212',
    "tokens: 1234567890",
    "tokenizer: cl100k_base_1234",
    "The password: must contain 8 characters.",
    "token: 2026-05-01T12:00:00Z",
    "PWD=/srv/project/app1",
    'secretKeyRef: { name: app-secret-1, key: "token" }',
    "Authorization: Bearer <token>",
    `Authorization: Bearer ${TEMPLATE}`,
    `headers.authorization = \`Bearer ${TEMPLATE}\``,
    "Bearer authentication is used",
    "authorization: AuthorizationService; authorization: enabled-by-default",
    "DB_PASSWORD=changeme TOKEN=token",
    `postgres://app:${TEMPLATE}@localhost/app`,
    "postgres://app:<password>@localhost/app",
    "http://localhost:3000/a@b",
    "cookie: string",
    "document.cookie",
    "-----BEGIN PRIVATE KEY-----",
    "text.startsWith('-----BEGIN PRIVATE KEY-----') && text.endsWith('-----END PRIVATE KEY-----')",
    `-----BEGIN CERTIFICATE-----\n${base64(64)}\n-----END CERTIFICATE-----`,
    `-----BEGIN PUBLIC KEY-----\n${base64(64)}\n-----END PUBLIC KEY-----`,
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${base64(43)} bob@laptop`,
    "task-list-of-something-very-long-and-hyphenated disk-usage-of-all-the-partitions-of-the-machine",
    "sk-cube-grid sk-folding-cube-with-many-words-in-it",
    "npm_config_user_agent npm_lifecycle_event hf_hub_download_with_a_long_name",
    "sm_max_width_of_the_container_of_the_page_in_pixels",
    // Paths of no home
    "https://example.org/home/dashboard/a",
    "src/home/page.tsx app/Users/List.tsx ./home/x ../Users/y",
    "import x from '@/home/page'",
    "/home/index.html",
    "/Users/Shared/x",
    `/home/$USER/x /home/${TEMPLATE}/y /home/<user>/z /home/:id`,
    "--home-dir=/srv --home-directory x",
    "alice in wonderland, alice/",
    "ls /alicesprings",
  ])("%j", (text) => {
    expect(redact(text)).toBe(text);
  });
});
