/** What a reference such as `session-id#entry-id` names. */
export interface Reference {
  /** ID, beginning of an ID, or path of a session. */
  session: string;
  entry: string | null;
}

const SCHEME = "session://";

/** Characters that would end a part of a reference, or be longer in JSON. */
const SEPARATORS = /[#%\s"\\\p{Cc}]/gu;

/** Writes the reference of a session, or of one of its entries. */
export function referenceOf(session: string, entry: string | null = null): string {
  return entry === null ? encode(session) : `${encode(session)}#${encode(entry)}`;
}

/** Writes the URI of a session as a resource. */
export function uriOf(session: string): string {
  return SCHEME + encodeURIComponent(session);
}

/** Reads a reference or the URI of a resource. */
export function readReference(text: string): Reference {
  const bare = text.trim().replace(/^session:\/\/\/?/, "");
  const at = bare.indexOf("#");
  const entry = at < 0 ? "" : decode(bare.slice(at + 1));
  return { session: decode(at < 0 ? bare : bare.slice(0, at)), entry: entry === "" ? null : entry };
}

function encode(part: string): string {
  return part.replace(SEPARATORS, (sign) => encodeURIComponent(sign));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
