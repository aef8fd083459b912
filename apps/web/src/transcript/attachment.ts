import type { ReactNode, RefObject } from "react";
import type { TranscriptReader } from "./transcript-reader.ts";

/** What belongs into a transcript and is not in its file: not yet, or never. */
export interface Addition {
  key: string;
  /** When it came, in milliseconds by the clock of the agent. */
  time: number;
  /** Whether the file gets an entry that takes its place. */
  isEntry: boolean;
  content: ReactNode;
}

/** What a running agent adds to the screen of its session. */
export interface Attachment {
  /** What the session is called as long as there is no record of it. */
  title: string;
  /** Empty where it has none. */
  name: string;
  rename(name: string): void;
  /** In the order in which they came. */
  additions: readonly Addition[];
  /** Calls that `now` shows while they run, by their ids. */
  runningCalls: ReadonlySet<string>;
  /** What is being said and done, at the end of the transcript. */
  now: ReactNode;
  /** What the agent does and with what, first in the header. */
  facts: ReactNode;
  /** Tokens that its model can look at; `null` if unknown. */
  contextWindow: number | null;
  /** What can be done with the agent, in the menu of its session. */
  menu: ReactNode;
  /** Below the transcript: where one answers. */
  below(reader: TranscriptReader): ReactNode;
  /** What is typed into there. */
  field: RefObject<HTMLElement | null>;
}
