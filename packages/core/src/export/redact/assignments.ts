import type { Detector } from "./finding.ts";
import { looksSecret } from "./likeness.ts";

const PASSWORD = "pass(?:word|wd|phrase|code)|(?<![a-z])pass|pwd";
const KEY_OF = [
  ...["access", "account", "admin", "api", "app(?:lication)?", "auth", "client", "deploy", "encryption", "licen[cs]e"],
  ...["master", "private", "secret", "server", "service", "session", "shared", "signing", "storage", "subscription"],
  "webhook",
];
const SECRET = `secret|token|credentials?|(?:${KEY_OF.join("|")})[_-]?key|(?<![a-z])auth|(?<=[?&])(?:sig|x-(?:amz|goog)-signature)`;

/** Types that some languages write between a name and its value. */
const TYPE = ":[ \\t]?(?:string|str|&(?:'static )?str)[ \\t]?=";
/** `--password hunter2`, `<password>hunter2</password>`, and the lines of a .netrc. */
const OPTION =
  "(?<=--[a-z-]{2,40})[ \\t]+|(?<=<[\\w:.-]{2,60})>(?=[^\\s<>]{1,256}</)|(?<=login[ \\t]\\S{1,64}[ \\t]password)[ \\t]+";

/** A name and what stands between it and its value; names begin anywhere (`dbPassword`, `STRIPE_API_KEY`). */
const NAME = new RegExp(
  `(?:(${PASSWORD})|${SECRET})(?:${OPTION}|\\\\{0,3}["'\`]?\\]?[ \\t]{0,16}(?:${TYPE}|=>|:=|={1,3}(?![=>~])|:)[ \\t]{0,16})`,
  "gi",
);
const WHOLE_NAME = new RegExp(`(?:(${PASSWORD})|${SECRET})$`, "i");

/** So much of a value is looked at; the rest goes with it. */
const LONGEST = 1024;
/** A string of a program, or one inside of a string, which ends at the next quote of its kind in the same line. */
const QUOTED = new RegExp(
  `[bfru]?(?:\\\\{1,3}"([^"\\\\\\r\\n]{1,${LONGEST}})\\\\{1,3}"|"((?:[^"\\\\\\r\\n]|\\\\.){1,${LONGEST}})"|'((?:[^'\\\\\\r\\n]|\\\\.){1,${LONGEST}})'|\`([^\`\\\\\\r\\n]{1,${LONGEST}})\`)`,
  "y",
);
const UNQUOTED = new RegExp(`[^\\s"'\`<>(){}[\\],;&|\\\\]{1,${LONGEST}}`, "y");
const REST = /[^\s"'`<>(){}[\],;&|\\]*/y;
const ENVIRONMENT = /(?:^|[^A-Za-z0-9_])[A-Z][A-Z0-9_]*=$/;
/** Names are not longer. */
const LONGEST_NAME = 64;

/** Finds values that are called a secret, where they look like one. */
export const findAssignments: Detector = (text, report) => {
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match !== null; match = NAME.exec(text)) {
    const at = NAME.lastIndex;
    const isPassword = match[1] !== undefined;
    QUOTED.lastIndex = at;
    const quoted = QUOTED.exec(text);
    if (quoted !== null) {
      const value = quoted[1] ?? quoted[2] ?? quoted[3] ?? quoted[4] ?? "";
      const start = at + quoted[0].indexOf(value);
      if (!looksSecret(value, { isPassword, isQuoted: true, isEnvironment: false })) continue;
      report(start, start + value.length, "secret");
      NAME.lastIndex = QUOTED.lastIndex;
      continue;
    }
    // The quote of a value that is very long, or cut off, has no partner.
    const start = at + (/^\\{0,3}["'`]/.exec(text.slice(at, at + 4))?.[0].length ?? 0);
    UNQUOTED.lastIndex = start;
    const value = UNQUOTED.exec(text)?.[0];
    // A call or an element of a list is no value.
    if (value === undefined || /[([]/.test(text.charAt(UNQUOTED.lastIndex))) continue;
    const isEnvironment = ENVIRONMENT.test(text.slice(Math.max(0, at - LONGEST_NAME), at));
    if (!looksSecret(value, { isPassword, isQuoted: false, isEnvironment })) continue;
    REST.lastIndex = UNQUOTED.lastIndex;
    REST.test(text);
    report(start, REST.lastIndex, "secret");
    NAME.lastIndex = REST.lastIndex;
  }
};

/** Whether a value of JSON is a secret by the key that it has. */
export function isSecretMember(key: string, value: string): boolean {
  const match = WHOLE_NAME.exec(key.slice(-LONGEST_NAME));
  if (match === null) return false;
  return looksSecret(value.slice(0, LONGEST), {
    isPassword: match[1] !== undefined,
    isQuoted: true,
    isEnvironment: false,
  });
}
