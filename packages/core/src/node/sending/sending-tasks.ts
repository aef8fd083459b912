import type { BatchAnswer, SessionChange } from "../../hub/batch.ts";
import type { SessionWithFile } from "../catalog/session-files.ts";

/** A session whose file, or what the vault has of it, is to be sent with what belongs to it. */
export type SessionToSend = Pick<SessionWithFile, "path" | "format" | "id" | "project">;

/** How what is sent is redacted; `null`: not at all. */
export type Redaction = { words: readonly string[] } | null;

/** What is known of one session that may differ from what the hub knows: all of it but times. */
export interface SaidOfSession {
  path: string;
  sessionId: string;
  said: Pick<SessionChange, "kind" | "key" | "value">[];
}

interface InPlace {
  /** Path of `hub.db`. */
  database: string;
}

/** Tasks of the thread that prepares what is sent to a hub. */
export type SendingTasks = {
  /** Of these files, those of which the hub does not have all. */
  untaken: {
    input: InPlace & { files: Pick<SessionWithFile, "path" | "stamp" | "format" | "id">[]; redaction: Redaction };
    output: string[];
  };
  /**
   * Makes the next batch, of changes that wait and of these sessions. `rest`: paths of those that are not all in it;
   * `changeKinds`: which changes the hub takes.
   */
  fillBatch: {
    input: InPlace & {
      sessions: SessionToSend[];
      redaction: Redaction;
      changeKinds: readonly string[];
      machineName: string;
    };
    output: FilledBatch & { rest: string[]; unreadable: string[] };
  };
  /** Asks the hub what it has of the next states, beginning behind a key. `next`: `null` after the last. */
  fillQuestion: {
    input: InPlace & { after: number; machineName: string };
    output: FilledBatch & { next: number | null };
  };
  /**
   * Takes note of an answer. `again`: paths of sessions of which the hub lacks something; `isOtherHub`: it has nothing of
   * what another one had.
   */
  takeAnswer: {
    input: InPlace & { answer: BatchAnswer; sent: SentFrame[] };
    output: { again: string[]; isOtherHub: boolean };
  };
  /** Takes note of what is said of sessions at a time. @returns whether there is anything new. */
  noteSaid: { input: InPlace & { sessions: SaidOfSession[]; at: string }; output: boolean };
  /** Takes note of deletions by the user. */
  noteDeleted: { input: InPlace & { paths: string[]; at: string }; output: null };
  noteMoved: { input: InPlace & { moves: { from: string; to: string }[]; at: string }; output: null };
  outboxStatus: {
    input: InPlace & { changeKinds: readonly string[] };
    output: { machineId: string; files: number; waitingChanges: number; refused: string[] };
  };
};

/** `body`: `null` where nothing is to be sent. */
export interface FilledBatch {
  body: Uint8Array | null;
  /** Bytes of files before packing. */
  fileBytes: number;
  sent: SentFrame[];
}

/** What was in a batch, to be matched with the answer. */
export type SentFrame =
  | { kind: "bytes"; generation: string; isLast: boolean }
  | { kind: "changes"; changes: Pick<SessionChange, "path" | "kind" | "key" | "at">[] }
  | { kind: "known"; generations: string[] };

/** The names of all of them. */
export const SENDING_TASKS: ReadonlySet<string> = new Set<keyof SendingTasks>([
  "untaken",
  "fillBatch",
  "fillQuestion",
  "takeAnswer",
  "noteSaid",
  "noteDeleted",
  "noteMoved",
  "outboxStatus",
]);
