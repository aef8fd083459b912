import type { JsonObject } from "../json.ts";
import type { PartKind } from "../library.ts";
import type { SessionFormatName, Usage } from "../session/record.ts";
import type { ContextEdit, TranscriptItem } from "../session/transcript.ts";
import type { ScannedLine } from "./scanned-line.ts";

/** The first line of a session, read for every version of a format. */
export interface SessionHeader {
  id: string | null;
  /** Milliseconds since 1970. */
  timestamp: number | null;
  cwd: string | null;
  parentSessionPath: string | null;
  /** Entries carry ids and parents; without, a session is a plain sequence. */
  hasTree: boolean;
}

/** What the summary needs to know of one entry. */
export interface EntryFacts {
  /** `null` where the format has none or the line lacks it. */
  id: string | null;
  /** `undefined`: follows the entry before it; `null`: a root. */
  parentId: string | null | undefined;
  /** Whether the entry carries conversation; others do not make a branch. */
  conversation: boolean;
  /** An entry that the record counts as a message, whatever its role. */
  isMessage: boolean;
  /** Role of a message, `null` for any other entry. */
  role: MessageRole | null;
  /** Milliseconds since 1970. */
  timestamp: number | null;
  /** Whether it is a message in which a user or assistant says something. */
  hasText: boolean;
  /** At most 300 characters of that, `null` where nothing is said. To be asked for before the next lines are read. */
  excerpt(): string | null;
  /** The names of the tools that a message calls, one for each call. */
  calledTools: readonly (string | null)[];
  /** The names of the tools that were called by the tool of whose result the entry tells. */
  nestedTools: readonly (string | null)[];
  /** The names of the tools whose calls failed, of both kinds. */
  failedTools: readonly (string | null)[];
  /** The model that the entry names: that of an answer, of another use, or the one chosen for what follows. */
  model: string | null;
  provider: string | null;
  /** Whether that model is in force for the entries that follow; a use beside the conversation changes nothing. */
  setsModel: boolean;
  /** Of any entry that adds to the tokens and the cost of its session. */
  usage: Usage | null;
  /** The name that this entry gives the session (empty: cleared), `undefined` where it gives none. */
  name: string | undefined;
  /** The label that this entry sets (`null`: cleared), where it is one. */
  label: { targetId: string; label: string | null } | undefined;
  /** The entry of which this one changes what the model sees; `undefined` where it does no such thing. */
  editedId: string | undefined;
}

/** What the model sees of an earlier entry from an entry on. */
export interface StoredContextEdit extends Pick<ContextEdit, "replacement"> {
  targetId: string;
}

export type MessageRole = "user" | "assistant" | "tool" | "bash" | "custom" | "system";

/** A text that can be searched, with what fields of a query look at. */
export interface SearchPart {
  kind: PartKind;
  role: "user" | "assistant" | "tool" | null;
  text: string;
  toolName: string | null;
  /** The model that wrote it. */
  model: string | null;
  /** Paths in the arguments of a tool call, as they stand there. */
  files: string[];
}

/** A part of a line that was scanned. */
export interface ScannedPart extends Omit<SearchPart, "text"> {
  /**
   * The text line by line: where each begins and ends, by turns. What stands there is JSON as between quotes. Of the text
   * as `SessionFormat.parts` has it, characters that are no part of a word may be missing.
   */
  pieces: readonly number[];
}

/** A line of a file before it is decoded. Characters beyond ASCII come as others, one for each byte. */
export interface RawLine {
  /** In bytes. */
  readonly length: number;
  slice(start: number, end: number): string;
  /** The same bytes, decoded. */
  text(start: number, end: number): string;
}

/** A kind of session file. Every use of a file's content goes through this port. */
export interface SessionFormat {
  readonly name: SessionFormatName;
  /** Reads a header; `null` if the line is not a header of this format. */
  readHeader(line: JsonObject): SessionHeader | null;
  /** Whether a line is, by itself, recognisable as an entry of this format. */
  recognises(line: JsonObject): boolean;
  facts(entry: JsonObject): EntryFacts;
  /** Tells the same without parsing the line, which would take most of a first reading; `null` where it is to be parsed. */
  scannedFacts?(line: ScannedLine): EntryFacts | null;
  /** In an order that depends on the entry alone: the index remembers the place. Each tool call is a part of its own. */
  parts(entry: JsonObject): SearchPart[];
  /** Lists the parts of a line without parsing it; `null` where that is not sure to tell the same words as `parts`. */
  scannedParts?(line: ScannedLine): ScannedPart[] | null;
  /** `id` and `parentId` as resolved by the tree, also where the line has none. */
  item(entry: JsonObject, id: string, parentId: string | null): TranscriptItem;
  /** `null` where the entry does not change what the model sees of another one. */
  contextEdit(entry: JsonObject): StoredContextEdit | null;
  /** One line of tree view: what an entry is about, at most `limit` characters, without line breaks. */
  preview(entry: JsonObject, limit: number): string;
  /** The preview of a long line from its beginning; `null` where that does not tell. The line has been parsed before. */
  skimPreview?(line: RawLine, limit: number): string | null;
  /** The line that names a session, without its LF. */
  nameLine(name: string, position: AppendPosition): string;
}

/** Where a line is appended: after which entry, or in a plain sequence (`null`). */
export interface AppendPosition {
  tree: { id: string; parentId: string | null } | null;
  timestamp: string;
}
