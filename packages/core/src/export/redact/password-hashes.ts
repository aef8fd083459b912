import { type Detector, eachMatch } from "./finding.ts";

/**
 * Password hashes, which allow offline attacks: crypt(5) and similar formats (bcrypt, sha512crypt, yescrypt, Argon2,
 * scrypt, PBKDF2), also with escaped or doubled dollar signs; formats of Django and Werkzeug; PostgreSQL's SCRAM; RFC
 * 2307.
 */
const HASH =
  /(?:(?:\\{0,3}\$){1,2}(?:2[abxy]|[1567y]|gy|apr1|sha1|argon2(?:id|i|d)|scrypt|pbkdf2[\w-]{0,20}|bcrypt-sha256)(?=\\{0,3}\$)|\b(?:pbkdf2_sha(?:1|256|512)|bcrypt_sha256|argon2|pbkdf2:sha(?:1|256|512):\d{1,8}|scrypt:\d{1,8}:\d{1,3}:\d{1,3}|SCRAM-SHA-256)(?=\$)|\{(?:S?SHA(?:256|384|512)?|SMD5|CRYPT)\})[\w./+=,:$\\-]{20,}/g;
const DIGEST = /[\w./+]{22}/;

/** Finds hashes of passwords. */
export const findPasswordHashes: Detector = (text, report) => {
  eachMatch(HASH, text, ({ index, 0: hash }) => {
    if (!DIGEST.test(hash.slice(8))) return;
    // A final backslash belongs to the following quote or line end.
    report(index, index + hash.replace(/\\+[nrt]?$/, "").length, "password-hash");
  });
};
