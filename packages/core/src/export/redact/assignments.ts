import type { Detector } from "./finding.ts";
import { isWordsOnly, looksSecret, type Naming } from "./likeness.ts";
import { PASSWORD, SECRET } from "./secret-names.ts";

/** Type annotations between a name and its value. */
const TYPE = ":[ \\t]?(?:string|str|&(?:'static )?str)[ \\t]?=";
const SPACE = "[ \\t\\u3000]";
/** `--password hunter2` and `<password>hunter2</password>`. */
const OPTION = "(?<=--[a-z-]{2,40})[ \\t]+|(?<=<[\\w:.-]{2,60})>(?=[^\\s<>]{1,256}</)";
/** "The password is hunter2." */
const VERB = `${SPACE}{0,2}(?:是|为|為|は|[:：]?${SPACE}(?:is|ist|est|es|é|è|jest|är|er|это)(?=${SPACE}))${SPACE}{0,2}[:：]?${SPACE}{0,2}`;

/** Quotes of JSON in a string have 1, 3, 7, 15 backslashes, by the depth of the nesting. */
const BACKSLASHES = "\\\\{0,15}";

/**
 * A name and the text between it and its value; names may start anywhere (`dbPassword`, `STRIPE_API_KEY`). Groups: the
 * word for a password, the option or element, the verb.
 */
const NAME = new RegExp(
  `(?:(${PASSWORD})|${SECRET})(?:(${OPTION})|${BACKSLASHES}["'\`]?\\]?[ \\t\\u3000*]{0,16}(?:${TYPE}|=>|:=|={1,3}(?![=>~])|[:：])[ \\t\\u3000*]{0,16}|(${VERB}))`,
  "gi",
);
const WHOLE_NAME = new RegExp(`(?:(${PASSWORD})|${SECRET})$`, "i");

/** Maximum length of a value that is examined; the rest is redacted with it. */
const LONGEST = 1024;
/** A quoted string, or one nested in a string, which ends at the next such quote on the line. */
const QUOTED = new RegExp(
  `[bfru]?(?:\\\\{1,15}"([^"\\\\\\r\\n]{1,${LONGEST}})\\\\{1,15}"|"((?:[^"\\\\\\r\\n]|\\\\.){1,${LONGEST}})"|'((?:[^'\\\\\\r\\n]|\\\\.){1,${LONGEST}})'|\`([^\`\\\\\\r\\n]{1,${LONGEST}})\`|[“„«「『]([^”“»」』\\r\\n]{1,${LONGEST}})[”“»」』])`,
  "y",
);
/** Values contain no CJK letters, in which the surrounding sentence may be written. */
const NOT_VALUE = "\\s\"'`<>(){}[\\],;&|\\\\\\u3000-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7af\\uff00-\\uffef“”„«»";
const UNQUOTED = new RegExp(`[^${NOT_VALUE}]{1,${LONGEST}}`, "y");
const REST = new RegExp(`[^${NOT_VALUE}]*`, "y");
const OPENING_QUOTE = /^(?:\\{0,15}["'`]|[“„«「『])/;
const ENVIRONMENT = /(?:^|[^A-Za-z0-9_])[A-Z][A-Z0-9_]*=$/;
/** A parameter of a URL, form or connection string: `;Password=…`, `&password=…`, `host=db user=app password=…`. */
const PARAMETER = /(?:[?&;]|\b(?:host(?:addr)?|user|dbname|sslmode)=\S{1,64} )[ ]?[\w-]{1,40}=$/;
/** Maximum length of a name. */
const MAX_NAME_LENGTH = 64;

/** Finds values whose name says that they are secret, if they look like a secret. */
export const findAssignments: Detector = (text, report) => {
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match !== null; match = NAME.exec(text)) {
    const at = NAME.lastIndex;
    const isPassword = match[1] !== undefined;
    const isSentence = match[3] !== undefined;
    QUOTED.lastIndex = at;
    const quoted = QUOTED.exec(text);
    if (quoted !== null) {
      const value = quoted.slice(1).find((group) => group !== undefined) ?? "";
      const start = at + quoted[0].indexOf(value);
      if (!looksSecret(value, { isPassword, isQuoted: true, isSentence, allowsWords: !isSentence })) continue;
      report(start, start + value.length, "secret");
      NAME.lastIndex = QUOTED.lastIndex;
      continue;
    }
    // The closing quote is missing if the value is very long or truncated.
    const start = at + (OPENING_QUOTE.exec(text.slice(at, at + 16))?.[0].length ?? 0);
    UNQUOTED.lastIndex = start;
    const value = UNQUOTED.exec(text)?.[0];
    // Calls and list elements are not values.
    if (value === undefined || /[([]/.test(text.charAt(UNQUOTED.lastIndex))) continue;
    const naming: Naming = { isPassword, isQuoted: false, isSentence, allowsWords: false };
    const before = text.slice(Math.max(0, at - MAX_NAME_LENGTH), at);
    naming.allowsWords =
      ENVIRONMENT.test(before) ||
      (isPassword &&
        !isSentence &&
        isWordsOnly(value) &&
        (PARAMETER.test(text.slice(Math.max(0, at - 2 * MAX_NAME_LENGTH), at)) ||
          isWholeValue(text, match, start + value.length)));
    if (!looksSecret(value, naming)) continue;
    REST.lastIndex = UNQUOTED.lastIndex;
    REST.test(text);
    report(start, REST.lastIndex, "secret");
    NAME.lastIndex = REST.lastIndex;
  }
};

/** End of a line, also of text in a string. */
const LINE_END = /^[ \t]*(?:#[^\r\n]{0,80})?(?:[\r\n]|\\{1,15}[nr]|$)/;
/** What may follow an option's value: another option, or the end of the command. */
const OPTION_END = /^(?:[ \t]+-|[ \t]*(?:[\r\n|;&`"'\\]|$))/;
/** Code that does not occur in settings. */
const CODE = /[(){};=]|=>/;
const LINE_OF_CODE = /[{}(),;[\]]\s*$/;
const SECTION = /^\[[\w .:-]{1,64}\]\s*$/m;
const FAR = 512;

/**
 * Whether a value of words is alone in its line, option or element; otherwise it may be a variable or type, as in
 * `password: hashed,`.
 */
function isWholeValue(text: string, match: RegExpExecArray, end: number): boolean {
  const after = text.slice(end, end + 100);
  const between = match[0].slice(match[1]?.length);
  if (match[2] !== undefined) return match[2] === ">" ? after.startsWith("</") : OPTION_END.test(after);
  if (!LINE_END.test(after)) return false;
  const lines = text.slice(Math.max(0, match.index - FAR), match.index);
  const lineStart = Math.max(lines.lastIndexOf("\n"), lines.lastIndexOf("\\n") + 1) + 1;
  if (CODE.test(lines.slice(lineStart)) || LINE_OF_CODE.test(lines.slice(0, lineStart))) return false;
  if (/^\s*[})\]]/.test(after.replace(LINE_END, ""))) return false;
  if (/[:：]/.test(between)) return true;
  // `name = variable` occurs in many languages, and in settings with sections.
  return !/[ \t]/.test(between) || SECTION.test(lines);
}

/** Whether a JSON value is a secret by its key. */
export function isSecretMember(key: string, value: string): boolean {
  const match = WHOLE_NAME.exec(key.slice(-MAX_NAME_LENGTH));
  if (match === null) return false;
  return looksSecret(value.slice(0, LONGEST), {
    isPassword: match[1] !== undefined,
    isQuoted: true,
    isSentence: false,
    allowsWords: true,
  });
}
