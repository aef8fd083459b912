import type { ComponentSizes, SegmentBytes } from "@sm/text-index";
import type { SessionFacts } from "./session-attributes.ts";
import type { SessionOfText } from "./texts.ts";

/** A segment of a text index that is kept elsewhere. */
export interface RemoteSegment {
  /** Never that of another segment of any user. */
  id: number;
  documentCount: number;
  sizes: ComponentSizes;
  /** All components one after the other, if they are no longer than a chunk; `null`: they are in chunks. */
  content: Uint8Array | null;
  /** Names and labels that its texts have replaced: key of the session and number of the entry, in turns. */
  superseded: number[];
}

/** What a thread has read of a text index before. */
export interface KnownTexts {
  segments: number[];
  /** `null`: nothing. */
  sessions: string | null;
}

/** What is searched now. */
export interface TextState {
  /** Numbers of all segments. */
  segments: number[];
  /** Those that are not known yet. */
  added: RemoteSegment[];
  /** Of the sessions that are there; `null`: they are as they were. */
  sessions: { version: string; keys: number[] } | null;
}

/** A session whose texts are read. */
export interface SessionOfTexts extends SessionOfText {
  /** Names the bytes of its file, which only grow. */
  content: number;
}

/** A part of an outline. */
export interface OutlinePlace {
  key: number;
  /** Number of the chunk. */
  place: number;
}

/** A part of a session with texts. */
export interface TextPlace {
  /** `null`: it is gone. */
  session: SessionOfTexts | null;
  /** The part of its outline as it is stored; `null` where there is none. */
  outline: Uint8Array | null;
}

/** Where a line is. */
export interface LinePlace {
  content: number;
  offset: number;
  length: number;
}

/**
 * The texts of sessions that are kept elsewhere, of one user and one moment. Worker threads ask for them, and wait for the
 * answer.
 */
export interface RemoteTexts {
  textState(known: KnownTexts): Promise<TextState>;
  /** Bytes of segments that are in chunks; of each fewer where some are lost. */
  textBytes(wanted: SegmentBytes[]): Promise<Uint8Array[]>;
  /** Keys of the sessions at these paths. */
  sessionKeys(paths: string[]): Promise<number[]>;
  /** The same, with those of all subagents below them. */
  sessionKeysBelow(paths: string[]): Promise<number[]>;
  sessionFacts(keys: number[]): Promise<(SessionFacts & { key: number })[]>;
  /** What is needed to read lines of each of these parts of sessions. */
  textPlaces(places: OutlinePlace[]): Promise<TextPlace[]>;
  /** Each as it is stored; `null` where there is none. */
  outlineChunks(places: OutlinePlace[]): Promise<(Uint8Array | null)[]>;
  /** Each line, or what there is of it. */
  lines(places: LinePlace[]): Promise<Uint8Array[]>;
}

/** Asks for texts; waits for the answer. */
export type AskTexts = <Name extends keyof RemoteTexts>(
  name: Name,
  ...input: Parameters<RemoteTexts[Name]>
) => Awaited<ReturnType<RemoteTexts[Name]>>;
