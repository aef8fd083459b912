import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { isJsonObject } from "../../json.ts";
import type { CleanedDirectory } from "../../session/expiry.ts";
import { readWholeFile } from "../files/open-file.ts";

/** A directory in which an agent deletes old session files, and the setting that says how old. */
export interface AgentCleanup {
  directory: string;
  /** Path of the agent's settings, a JSON object. */
  settings: string;
  /** Name of the number of days in it. */
  setting: string;
  /** Without the setting. */
  defaultDays: number;
}

interface ReadSetting {
  /** Of the file; `null` where there is none. */
  mtime: number | null;
  size: number;
  days: number;
}

/** Settings that are larger are no work of an agent. */
const MAX_BYTES = 1024 * 1024;
/** A changed setting counts after so long. */
const LOOK_MS = 5_000;
const NEVER_AGAIN = Number.POSITIVE_INFINITY;
/** Lists do not wait longer for a disk that does not answer. */
const WAIT_MS = 50;

/** The settings of agents by which they delete old sessions: read when they have changed. */
export class AgentCleanups {
  readonly #prefixOf: (directory: string) => Promise<string | null>;
  readonly #onChange: (cleaned: CleanedDirectory[]) => void;
  readonly #read = new Map<string, ReadSetting>();
  #cleanups: readonly AgentCleanup[];
  #looking: Promise<void> | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** @param prefixOf how the paths of sessions in a directory begin; `null` where it is missing. */
  constructor(
    cleanups: readonly AgentCleanup[],
    prefixOf: (directory: string) => Promise<string | null>,
    onChange: (cleaned: CleanedDirectory[]) => void,
  ) {
    this.#cleanups = cleanups;
    if (cleanups.length === 0) this.#lookedAt = NEVER_AGAIN;
    this.#prefixOf = prefixOf;
    this.#onChange = onChange;
  }

  set(cleanups: readonly AgentCleanup[]): void {
    this.#cleanups = cleanups;
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  /** Resolves when the settings are known as they were a few seconds ago. */
  async current(): Promise<void> {
    if (this.#looking === null && performance.now() - this.#lookedAt < LOOK_MS) return;
    this.#looking ??= this.#look()
      // Warnings may be missing: no reason to refuse a list.
      .catch(() => undefined)
      .finally(() => {
        this.#looking = null;
      });
    await Promise.race([this.#looking, delay(WAIT_MS, undefined, { ref: false })]);
  }

  async #look(): Promise<void> {
    this.#lookedAt = this.#cleanups.length === 0 ? NEVER_AGAIN : performance.now();
    const cleaned: CleanedDirectory[] = [];
    for (const cleanup of this.#cleanups) {
      const prefix = await this.#prefixOf(cleanup.directory);
      if (prefix !== null) cleaned.push({ prefix, days: await this.#daysOf(cleanup) });
    }
    this.#onChange(cleaned);
  }

  async #daysOf({ settings, setting, defaultDays }: AgentCleanup): Promise<number> {
    const found = await stat(settings).catch(() => null);
    const { mtimeMs: mtime, size } = found?.isFile() === true ? found : { mtimeMs: null, size: 0 };
    const known = this.#read.get(settings);
    if (known !== undefined && known.mtime === mtime && known.size === size) return known.days;
    const days = (mtime === null ? null : await daysIn(settings, setting)) ?? defaultDays;
    this.#read.set(settings, { mtime, size, days });
    return days;
  }
}

/** `null` where the file says nothing, or nothing that the agent could understand. */
async function daysIn(path: string, setting: string): Promise<number | null> {
  try {
    const text = (await readWholeFile(path, MAX_BYTES)).toString("utf8");
    const settings: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    const days = isJsonObject(settings) ? settings[setting] : null;
    return typeof days === "number" && days >= 0 ? days : null;
  } catch {
    return null;
  }
}
