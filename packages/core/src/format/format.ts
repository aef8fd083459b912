import type { JsonObject } from "../json.ts";
import type { PartKind } from "../library.ts";
import type { Ending, RateLimit, SessionFormatName, SessionRelation, Usage } from "../session/record.ts";
import type { MessageRole, OutlineRole } from "../session/roles.ts";
import type { ContextEdit, TranscriptItem } from "../session/transcript.ts";
import type { Agent } from "./agent.ts";
import type { ScannedLine } from "./scanned-line.ts";

/** What a format says about a session as a whole: in its first line, or on any line. */
export interface SessionHeader {
  id: string | null;
  /** Milliseconds since 1970. */
  timestamp: number | null;
  cwd: string | null;
  parentSessionPath: string | null;
  /** In formats that name the parent by its ID. */
  parentSessionId: string | null;
  /** How it came from its parent; `null` if the header does not say. */
  relation: SessionRelation | null;
  /** Given by the agent; a name given by the user wins. */
  title: string | null;
  /** The newest ones; `null` if there are none, or the agent does not tell. */
  rateLimits: RateLimit[] | null;
  /** Entries have IDs and parents; otherwise the session is a plain sequence. */
  hasTree: boolean;
}

/** What a line adds to a session. */
export interface LineFacts {
  /** What it changes of the header; `null` for most lines. */
  header: Partial<SessionHeader> | null;
  /** `null` if it is no entry, or one that the session has already. */
  entry: EntryFacts | null;
  /** The title of another session, see `Agent.titlesOthers`. */
  otherTitle?: EntryTitle;
}

/** The title of the session that has an entry. */
export interface EntryTitle {
  entryId: string;
  title: string;
}

/** The session as of the lines before, for a {@link LineReader}. */
export interface SessionSoFar {
  readonly header: SessionHeader | null;
  /** Of the last entry; `null` before the first one. */
  readonly newestId: string | null;
  /** Whether there is an entry of this ID. */
  has(id: string): boolean;
}

/** Reads the lines of one session in file order. */
export interface LineReader {
  /** What must be known of the lines before to read on; `null` where each line speaks for itself. Changed in place. */
  readonly state: JsonObject | null;
  read(line: JsonObject, session: SessionSoFar): LineFacts;
  /**
   * The same without parsing the line, which would dominate the first reading; `null`, with an unchanged state, if it
   * must be parsed. The excerpt is decoded before the bytes become invalid.
   */
  readScanned?(line: ScannedLine, session: SessionSoFar): LineFacts | null;
  /** The title in a line of `Agent.titleIndex`; `null` if it has none, or the session has a title of its own. */
  indexedTitle?(line: JsonObject): string | null;
}

/** What tells an answer of the model's provider from all others, whatever files it is written in. */
export interface AnswerIdentity {
  id: string;
  /** The request that it answers; `null` if that is not recorded. */
  request: string | null;
  /** Whether it was written down as another agent's: of two copies with different requests, that is the false one. */
  isAside: boolean;
  /** Whether it was only reported by the session that has started the agent: it counts where no other copy is left. */
  isReported?: boolean;
}

/** Properties of one entry needed for the summary. */
export interface EntryFacts {
  /** `null` if the format or the line has none. */
  id: string | null;
  /** `undefined`: follows the previous entry; `null`: a root. */
  parentId: string | null | undefined;
  /** Whether the entry is part of the conversation; other entries do not create branches. */
  conversation: boolean;
  /** Whether the record counts it as a message, of any role. */
  isMessage: boolean;
  /** Whether it goes on with the message of an earlier entry, which is counted there. */
  continues: boolean;
  /** Role of a message, `null` for any other entry. */
  role: MessageRole | null;
  /** Milliseconds since 1970. */
  timestamp: number | null;
  /** Whether it is a user or assistant message with text. */
  hasText: boolean;
  /** At most 300 characters of the text, `null` if there is none. Must be called before further lines are read. */
  excerpt(): string | null;
  /** Names of the tools called by a message, one per call. */
  calledTools: readonly (string | null)[];
  /** Names of the tools called by the tool of this result. */
  nestedTools: readonly (string | null)[];
  /** Names of the tools with failed calls, of both kinds. */
  failedTools: readonly (string | null)[];
  /** The model named by the entry: of an answer, of another use, or selected for what follows. */
  model: string | null;
  provider: string | null;
  /** Whether that model applies to the following entries. */
  setsModel: boolean;
  /** Usage that counts for the session's tokens and cost: of a message in several entries, what this one adds. */
  usage: Usage | null;
  /** Tokens of input of the request, on which prices depend, where the usage is only a part of what it used. */
  contextTokens?: number;
  /** Of which answer that is, to find its copies in other sessions; `null`: no other session has one. */
  answer: AnswerIdentity | null;
  /** New name of the session (empty: removed), `undefined` if not a name entry. */
  name: string | undefined;
  /** New label (`null`: removed), if a label entry. */
  label: { targetId: string; label: string | null } | undefined;
  /** The entry whose content this one replaces for the model; `undefined` otherwise. */
  editedId: string | undefined;
  /**
   * How it ends a run that failed or was aborted; `null`: those before do not count any more. Left out elsewhere: a
   * message of the user or the assistant begins anew in any case.
   */
  ending?: Ending | null;
}

/** An entry's place in its session, as decided when the lines before it had been read. */
export interface EntryPlace {
  id: string;
  /** As resolved by the tree. */
  parentId: string | null;
  /** In the outline; `null` also for what looks like a message and is none, such as context that the agent injected. */
  role: OutlineRole;
}

/** Replacement of an earlier entry's content for the model. */
export interface StoredContextEdit extends Pick<ContextEdit, "replacement"> {
  targetId: string;
}

/** A searchable text with the fields of queries. */
export interface SearchPart {
  kind: PartKind;
  role: "user" | "assistant" | "tool" | null;
  text: string;
  toolName: string | null;
  /** The model that wrote it. */
  model: string | null;
  /** Paths in the arguments of a tool call, unchanged. */
  files: string[];
  /** Name of the file in the agent's folder for outputs that has the text, which is empty here. */
  outputFile?: string;
}

/** A part of a scanned line. */
export interface ScannedPart extends Omit<SearchPart, "text" | "outputFile"> {
  /**
   * The text line by line: alternating start and end offsets of raw JSON string content. Characters outside of words
   * may be missing, compared with `SessionFormat.parts`.
   */
  pieces: readonly number[];
}

/** An undecoded line of a file. Non-ASCII characters appear as one character per byte. */
export interface RawLine {
  /** In bytes. */
  readonly length: number;
  slice(start: number, end: number): string;
  /** Decodes a range of bytes. */
  text(start: number, end: number): string;
}

/** A session file format. All access to file contents uses this interface. */
export interface SessionFormat {
  readonly name: SessionFormatName;
  readonly agent: Agent;
  /** Whether a line alone shows that a file has this format. */
  recognises(line: JsonObject): boolean;
  /** @param state of a reader of the lines before; `null` at the start of a file. */
  reader(state: JsonObject | null): LineReader;
  /** What an entry says on its own. */
  facts(entry: JsonObject): EntryFacts;
  /**
   * In a stable order, because the index stores the position. Each tool call is a separate part.
   *
   * @param role of the entry in the outline.
   */
  parts(entry: JsonObject, role: OutlineRole): SearchPart[];
  /** Lists the parts of a line without parsing it; `null` if the words might differ from `parts`. */
  scannedParts?(line: ScannedLine, role: OutlineRole): ScannedPart[] | null;
  item(entry: JsonObject, place: EntryPlace): TranscriptItem;
  /** `null` if the entry does not replace content of another one. */
  contextEdit(entry: JsonObject): StoredContextEdit | null;
  /** One line for the tree view: at most `limit` characters, without line breaks. */
  preview(entry: JsonObject, limit: number): string;
  /** The preview of a long line from its beginning; `null` if that is not sufficient. The line was parsed before. */
  skimPreview?(line: RawLine, limit: number): string | null;
  /** `null`: nothing is ever written into files of this format, nor are new ones made. */
  readonly writer: SessionWriter | null;
}

/** Makes the lines that the agent would write. */
export interface SessionWriter {
  /** Names the session. */
  nameLine(name: string, position: AppendPosition): JsonObject;
  /** Sets or clears (`null`) the label of an entry. */
  labelLine(label: { targetId: string; label: string | null }, position: AppendPosition): JsonObject;
  /** Keeps data that the model is not shown. */
  dataLine(type: string, data: JsonObject, position: AppendPosition): JsonObject;
  /** The first line of a fork. @param own its ID and time, and the path of its origin. */
  forkHeader(origin: ForkOrigin, own: { id: string; timestamp: string; path: string }): JsonObject;
}

/** What a fork takes over from its origin's first line. */
export interface ForkOrigin {
  /** `null` if it was not readable. */
  header: JsonObject | null;
  /** Whether entries have IDs and parents. */
  hasTree: boolean;
}

/** Position of an appended line: its parent entry, or `null` in a plain sequence. */
export interface AppendPosition {
  tree: { id: string; parentId: string | null } | null;
  timestamp: string;
}
