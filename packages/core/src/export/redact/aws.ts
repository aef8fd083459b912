import { beginsWord, type Detector, eachMatch } from "./finding.ts";
import { entropyOf } from "./likeness.ts";

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids */
const ACCESS_KEY_ID = /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g;

/** A secret key is 40 letters of base64 without a beginning of its own: only the company that it keeps tells what it is. */
const SECRET_KEY = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g;
/** How far from the id its secret may be: in the next column, line or member. */
const NEAR = 256;
/** Bits a letter: 40 random letters of base64 have 4.4 and more; hex, such as the hash of a commit, has 4 at most. */
const MIN_ENTROPY = 4.1;

/** Finds ids of AWS access keys, and their secret keys near them. */
export const findAwsKeys: Detector = (text, report) => {
  eachMatch(ACCESS_KEY_ID, text, ({ index, 0: id }) => {
    if (!beginsWord(text, index)) return;
    report(index, index + id.length, "aws-access-key");
    const start = Math.max(0, index - NEAR);
    eachMatch(SECRET_KEY, text.slice(start, index + id.length + NEAR), (near) => {
      if (entropyOf(near[0]) < MIN_ENTROPY) return;
      report(start + near.index, start + near.index + near[0].length, "aws-secret-key");
    });
  });
};
