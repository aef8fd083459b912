import type { Detector } from "./finding.ts";

/** RFC 7468, OpenSSH's PROTOCOL.key, RFC 9580 (OpenPGP). */
const BEGIN = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
/** An RSA key of 16,384 bits has 13,000 characters; an OpenPGP key with signatures somewhat more. */
const LONGEST = 64 * 1024;
/** Content of a key: base64, headers, line ends, also escaped. */
const BODY = /^(?:[\w+/=:,.\s-]|\\{1,15}[nrt])+$/;
/** Part of a key line, possibly with quotes and line numbers; code about keys has no such words. */
const DATA = /[A-Za-z0-9+/]{40}/;
/** The rest of a truncated key; lines may start with a number or mark. */
const CUT =
  /^(?:(?:[\s\d:|>→+-]|\\{1,15}[nrt]){0,24}(?:[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Version|Comment):[^\r\n\\]{0,200}))+(?:(?:\s|\\{1,15}[nrt])+[A-Za-z0-9+/=]{1,15}$)?/;

/** Finds private keys in PEM and OpenPGP armor, also in strings with escaped line ends, and truncated. */
export const findPrivateKeys: Detector = (text, report) => {
  BEGIN.lastIndex = 0;
  END.lastIndex = 0;
  let end: { from: number; to: number } | null = { from: -1, to: -1 };
  for (let begin = BEGIN.exec(text); begin !== null; begin = BEGIN.exec(text)) {
    const from = BEGIN.lastIndex;
    // Searched only once for several beginnings.
    while (end !== null && end.from < from) {
      const match = END.exec(text);
      end = match === null ? null : { from: match.index, to: END.lastIndex };
    }
    const to = end !== null && isKey(text, from, end.from) ? end.to : cutEnd(text, from);
    if (to === null) continue;
    report(begin.index, to, "private-key");
    BEGIN.lastIndex = to;
  }
};

function isKey(text: string, from: number, to: number): boolean {
  if (to - from > LONGEST) return false;
  const body = text.slice(from, to);
  if (body.includes("-----BEGIN") || body.trim() === "") return false;
  return DATA.test(body) || BODY.test(body);
}

function cutEnd(text: string, from: number): number | null {
  const [rest] = CUT.exec(text.slice(from, from + LONGEST)) ?? [];
  return rest !== undefined && DATA.test(rest) ? from + rest.length : null;
}
