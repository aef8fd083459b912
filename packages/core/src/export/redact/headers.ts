import { type Detector, eachMatch } from "./finding.ts";
import { entropyOf, isVariable } from "./likeness.ts";

/** RFC 9110 section 11: a scheme and credentials, or credentials only; also as a member of JSON or code. */
const AUTHORIZATION =
  /authorization\\{0,15}["'`]?[ \t]{0,8}[:=：][ \t]{0,8}\\{0,15}["'`]?(?:(bearer|basic|token|apikey|api-key|bot|digest|negotiate|ntlm|hawk)[ \t]{1,8})?([\w.~+/=:-]{6,})/gi;
/** RFC 6750 section 2.1, without a header name. */
const BEARER = /bearer[ \t]{1,8}([\w.~+/=-]{16,})/gi;
/** Bits per letter: prose has less. */
const MIN_ENTROPY = 3;
/** Words after the scheme that are not credentials. */
const NOT_CREDENTIALS = /^(?:your|my|the|some|token|bearer|basic|null|undefined|true|false|required|string)/i;

/** Finds HTTP credentials. */
export const findAuthorizations: Detector = (text, report) => {
  eachMatch(AUTHORIZATION, text, ({ index, 0: whole, 1: scheme, 2: credentials = "" }) => {
    if (isVariable(credentials)) return;
    // Without digits: a setting, type or message, unless a scheme is given.
    if (!/\d/.test(credentials) && (scheme === undefined || NOT_CREDENTIALS.test(credentials))) return;
    report(index + whole.length - credentials.length, index + whole.length, "authorization");
  });
  eachMatch(BEARER, text, ({ index, 0: whole, 1: credentials = "" }) => {
    if (isVariable(credentials) || !/\d/.test(credentials) || entropyOf(credentials) < MIN_ENTROPY) return;
    report(index + whole.length - credentials.length, index + whole.length, "authorization");
  });
};

/** RFC 6265 section 4: `Cookie: a=b; c=d` and `Set-Cookie: a=b; Path=/`, also as a JSON member or curl option. */
const COOKIES =
  /cookie(?:2?\\{0,15}["'`]?[ \t]{0,8}:[ \t]{0,8}\\{0,15}["'`]?|[ \t]{1,8}["'])([\w!#$%&*+.^|~-]{1,256}=[^\s"'`\\<>{}][^\r\n"'`\\<>{}]*)/gi;
/** Names are matched only from their start, for linear time. */
const PAIR = /(?<![^\s=;,])([^\s=;,]+)=([^;\s]+)/g;
const ATTRIBUTES = new Set(["path", "domain", "expires", "max-age", "samesite", "priority", "version"]);

/** Finds values of cookies. */
export const findCookies: Detector = (text, report) => {
  eachMatch(COOKIES, text, (header) => {
    const [whole, pairs = ""] = header;
    const start = header.index + whole.length - pairs.length;
    eachMatch(PAIR, pairs, (pair) => {
      const [both, name = "", value = ""] = pair;
      if (ATTRIBUTES.has(name.toLowerCase()) || isVariable(value)) return;
      const end = start + pair.index + both.length;
      report(end - value.length, end, "cookie");
    });
  });
};
