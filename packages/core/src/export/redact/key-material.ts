import { type Detector, eachMatch } from "./finding.ts";

const LINE_END = "(?:\\r?\\n|\\\\{1,15}n)[ \\t]{0,40}";
/** Base64 of `-----BEGIN `, also in lines of 64 or 76 characters. */
const PEM = new RegExp(
  `LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,}(?:(?:${LINE_END}[A-Za-z0-9+/]{60,76})+(?:${LINE_END}[A-Za-z0-9+/]{1,75}(?![\\w+/]))?)?={0,2}`,
  "g",
);
/** Length of the base64 that contains the key type. */
const HEAD = 80;
/** Public data: certificates and public keys, except client certificates. */
const PUBLIC =
  /^-----BEGIN (?:CERTIFICATE|TRUSTED CERTIFICATE|X509 CRL|CERTIFICATE REQUEST|(?:[A-Z0-9]+ ){0,2}PUBLIC KEY)/;
const OF_A_CLIENT = /client-certificate-data\\{0,15}["']?[ \t]*[:=][ \t]*\\{0,15}["']?$/;

/** PuTTY's format; its manual, appendix C. */
const PUTTY = /Private-Lines: \d{1,4}(?:\r?\n|\\{1,15}n)(?:[A-Za-z0-9+/=]{1,64}(?:\r?\n|\\{1,15}n|$)){1,400}/g;

/** Hex in the context of a key file: `master.key: …`, `cat app.key` and its output, `… > app.key`. */
const FROM_FILE =
  /\.key(?:\.\w{1,8})?\b(?!\.)[^\w\r\n]{0,16}(?:(?:\r?\n|\\{1,15}n)[ \t]{0,16}(?:[$>#:|→ \t\d]{0,8}[|→:][ \t]?)?)?["'`]?([0-9a-fA-F]{32,256})(?![0-9a-zA-Z])/g;
const TO_FILE =
  /(?<![0-9a-zA-Z])([0-9a-fA-F]{32,256})(?=["'`]?[ \t]{0,4}(?:>{1,2}|\|[ \t]*(?:sudo[ \t]+)?tee)[ \t]*[^\s|;&]{0,200}\.key\b)/g;
/** `key: …` and `aes key = …`, but not `cache-key` and `partition key`. */
const NAMED =
  /(?:key|seed|xprv)(?<=(?:(?<![\w-])|(?:aes|hmac|hex|des|encryption|secret|signing|master|private|cipher|chacha20|salsa|wallet|raw|data|root|api|auth)[ _-])(?:priv)?(?:key|seed|xprv))(?:[ \t]\((?:hex|\d{3} bit)\))?\\{0,15}["']?[ \t]{0,4}(?:[:=：]|is)[ \t]{0,4}\\{0,15}["'`]?(?:0x|hex:)?([0-9a-fA-F]{32}|[0-9a-fA-F]{48}|[0-9a-fA-F]{64}|[0-9a-fA-F]{128})(?![0-9a-zA-Z])/gi;
/** Keys of caches and objects are hashes. */
const OF_DATA =
  /(?:cache|etag|object|primary|foreign|partition|sort|map|item|public|pub|row|idempotency)[\s_"'-]{0,4}$|"(?:hash|sha\d*|etag)"[^}]{0,80}$/i;

/** Finds keys without a prefix by their context, and keys with an encoded prefix. */
export const findKeyMaterial: Detector = (text, report) => {
  eachMatch(PEM, text, ({ index, 0: whole }) => {
    const head = decoded(whole.slice(0, HEAD));
    const isOfClient = OF_A_CLIENT.test(text.slice(Math.max(0, index - 80), index));
    if (isOfClient) report(index, index + whole.length, "certificate");
    else if (!PUBLIC.test(head)) report(index, index + whole.length, "private-key");
  });
  eachMatch(PUTTY, text, ({ index, 0: whole }) => {
    const start = index + whole.search(/(?<=\n|\\n)/);
    report(start, index + whole.replace(/(?:\r?\n|\\{1,15}n)$/, "").length, "private-key");
  });
  for (const pattern of [FROM_FILE, TO_FILE, NAMED]) {
    eachMatch(pattern, text, ({ index, 0: whole, 1: value = "" }) => {
      if (pattern === NAMED && OF_DATA.test(text.slice(Math.max(0, index - 100), index))) return;
      if (isRepetition(value)) return;
      report(index + whole.length - value.length, index + whole.length, "key");
    });
  }
};

/** Zeros and the like, as in documentation. */
function isRepetition(value: string): boolean {
  return new Set(value).size < 6;
}

function decoded(text: string): string {
  return atob(text.replace(/[^A-Za-z0-9+/]/g, "").replace(/^((?:.{4})*).*$/, "$1"));
}
