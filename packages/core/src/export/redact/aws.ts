import { beginsWord, type Detector, eachMatch } from "./finding.ts";
import { entropyOf } from "./likeness.ts";

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids */
const ACCESS_KEY_ID = /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g;

/** A secret key is 40 base64 letters without a prefix: only its context identifies it. */
const SECRET_KEY = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g;
/** Maximum distance of a secret from its ID: in the next column, line or member. */
const NEAR = 256;
/** Bits per letter: 40 random base64 letters have at least 4.4; hex, such as a commit hash, at most 4. */
const MIN_ENTROPY = 4.1;

/** Finds IDs of AWS access keys, and secret keys near them. */
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
