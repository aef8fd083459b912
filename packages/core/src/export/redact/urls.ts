import { isPersonal } from "./accounts.ts";
import { type Detector, eachMatch } from "./finding.ts";
import { entropyOf, isVariable } from "./likeness.ts";

/** RFC 3986 section 3.2.1: what is before the `@` of an address; the last one, since passwords are not always escaped. */
const USER_INFORMATION = /:\/\/([^\s/?#@:"'`<>\\[\]]{0,128})(?::([^\s/"'`<>\\[\]]{1,256}))?@(?=[\w[])/g;
const MIN_TOKEN_LENGTH = 20;
const MIN_ENTROPY = 3;

/** Finds passwords, and personal user names, in URLs: `scheme://user:password@host`. */
export const findUrlPasswords: Detector = (text, report) => {
  eachMatch(USER_INFORMATION, text, (match) => {
    const [, user = "", password] = match;
    const at = match.index + "://".length;
    if (password !== undefined) {
      if (!isVariable(password)) report(at + user.length + 1, at + user.length + 1 + password.length, "url-password");
    } else if (user.length >= MIN_TOKEN_LENGTH && entropyOf(user) >= MIN_ENTROPY) {
      report(at, at + user.length, "url-password");
    } else if (isPersonal(user) && !isVariable(user)) {
      report(at, at + user.length, "user");
    }
  });
};
