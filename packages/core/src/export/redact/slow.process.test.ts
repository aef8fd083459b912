import { describe, expect, it } from "vitest";
import { Redactor } from "./redactor.ts";
import { tokenFormats } from "./token-formats.ts";

const SCALE = Number(process.env.SESSION_MANAGER_TEST_SCALE ?? 1);
const MEGABYTE = 1_000_000 * SCALE;
const RUN = 50_000 * SCALE;

const fill = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

/** What every rule begins with, repeated: each repetition is a beginning that the rule has to look at. */
const beginnings = [
  ...tokenFormats.flatMap(({ starts }) => starts),
  ...["-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----AAAAAAAAAAAAAAAA"],
  ...[
    "AKIAIOSFODNN7EXAMPLE ",
    ":AA",
    ".atlasv1.",
    "Q~",
    "-us1",
    "://",
    "://a:b",
    "://a@",
    "@",
    "a@",
    "a@b.",
    "%40",
    "a%40",
  ],
  ...["authorization:", "bearer ", "authorization: bearer ", "cookie: a=", "cookie: a=b;", "Cookie:"],
  ...[
    "password",
    "password=",
    "token=",
    "token: ",
    "--token ",
    "<token>",
    'token="',
    "api",
    "api_",
    "login a password ",
  ],
  ...[
    "/home/",
    "/home/a",
    "/Users/",
    "\\Users\\",
    "C:\\Users\\",
    "--home-",
    "--home-a-",
    "/-home-a-",
    "/mnt/c",
    "/home/a/.",
  ],
  ...["curl -u a:", "curl ", 'curl "-u", "a:', "mysql -p", "htpasswd -b a b ", "net user a ", "openssl -passin pass:"],
  ...["machine a ", "machine a.b login b password ", "default\n", "a:5432:b:c:", ":5432:", ":*:*:*:", "USER a\nPASS "],
  ...["identified by '", "with password '", "password('", "jdbc:oracle:thin:a/", "requirepass ", "echo a:b", "PSK '"],
  ...[
    "otpauth://a?secret=A",
    "seed phrase: abandon ability ",
    "$6$",
    "$2b$12$",
    "$argon2id$",
    "{SSHA}",
    "scrypt:1:1:1$",
  ],
  ...[
    "LS0tLS1CRUdJTi",
    "LS0tLS1CRUdJTiBQ\n",
    "Private-Lines: 1\n",
    "a.key ",
    "key: ",
    "aes key: 0",
    "0123456789abcdef",
  ],
  ...[
    "密码：",
    "密码是 ",
    "password is ",
    "password: aaaaaaaa\n",
    "[a]\npassword = a",
    "token=\\\n",
    "\\\n",
    "\\\\\\n",
  ],
  ...["password: 'aaa bbb ccc ", '\\\\\\"password\\\\\\":', "&password=", "host=a user=b password=", "contraseña: "],
  ...["[redacted:email-1]", "[redacted:email-1]a@b.cd "],
];

/** Runs of one class of letters, which patterns with a quantifier like to take apart. */
const runs = [
  "a",
  "A",
  "0",
  "-",
  "_",
  ".",
  "/",
  "\\",
  "=",
  ":",
  " ",
  "\t",
  "\n",
  '"',
  "'",
  "@",
  "%",
  "é",
  "\ud800",
  "a.",
  "a-",
];

function read(text: string): void {
  const redactor = new Redactor();
  redactor.learn("/home/alice/a");
  expect(redactor.text(text, null)).not.toBe("");
}

/** Microseconds of the processor. */
function timeOf(text: string): number {
  const before = process.cpuUsage().user;
  read(text);
  return process.cpuUsage().user - before;
}

describe("takes time in proportion to the text", { timeout: 60_000 }, () => {
  // 50 ms for most, and half a second for what is made to be slow; in quadratic time it would be hours.
  it.each([...beginnings, ...runs].map((piece) => [piece]))("a megabyte of %j", (piece) => {
    read(fill(piece, MEGABYTE));
  });

  // A rule in quadratic time takes a thousand times as long as the others.
  it.each(runs.map((run) => [run]))("anything that a rule begins with, before a long run of %j", (run) => {
    const texts = beginnings.map((beginning) => beginning + fill(run, RUN));
    const times = texts.map(timeOf);
    const usual = [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;
    const slow = texts.filter((text, place) => {
      const isSlow = (time = 0) => time > 200 * Math.max(usual, 1_000);
      // What was slow for another reason is fast another time.
      return isSlow(times[place]) && isSlow(timeOf(text)) && isSlow(timeOf(text));
    });
    expect(slow.map((text) => text.slice(0, 40))).toEqual([]);
  });
});
