import {
  type AcceptedPrompt,
  type AgentCommand,
  type ClearedQueue,
  type LiveAnswer,
  type LiveModel,
  type LivePrompt,
  oneLine,
} from "@sm/core";
import type { SessionLog } from "./session-log.ts";

/** A live session that accepts prompts. */
export interface ControlledSession {
  readonly log: SessionLog;
  prompt(prompt: LivePrompt): Promise<AcceptedPrompt>;
  abort(): Promise<void>;
  clearQueue(): Promise<ClearedQueue>;
  setModel(change: { model: string | null; thinking_level: string | null }): Promise<void>;
  setName(name: string): Promise<void>;
  models(): Promise<LiveModel[]>;
  thinkingLevels(): Promise<string[]>;
  commands(): Promise<AgentCommand[]>;
  answer(answer: LiveAnswer): void;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** As for stored sessions. */
const MAX_NAME_LENGTH = 200;

/** Normalizes user input to a session name. */
export function normalizedName(name: string): string {
  return oneLine(name, MAX_NAME_LENGTH);
}
