import { hostname } from "node:os";
import { AppError } from "../../errors.ts";
import { type BatchAnswer, FIRST_CHANGE_KINDS } from "../../hub/batch.ts";
import type { Outbox, OutboxSettings, OutboxStatus, OutgoingBatch } from "../../hub/outbox.ts";
import type { LibraryLog } from "../../library-log.ts";
import type { SessionWithFile } from "../catalog/session-files.ts";
import { isInside } from "../files/open-file.ts";
import { cacheShare } from "../threads/cache-budget.ts";
import { type KnownPlaces, Thread } from "../threads/thread.ts";
import { PendingSessions } from "./pending-sessions.ts";
import type { SaidOfSession, SendingTasks, SentFrame } from "./sending-tasks.ts";

/** More than a batch takes, of small sessions. */
const SESSIONS_AT_ONCE = 64;
/** Compared with what was sent at once. */
const FILES_COMPARED = 1_000;
const IDLE_MS = 10_000;

/** What an outbox asks of the library. */
export interface SessionsToSend {
  /** Those of these paths that are sessions, also where only the vault has them. */
  some(paths: readonly string[]): Promise<SessionWithFile[]>;
  /** All of them, a part at a time. */
  all(most: number): AsyncIterable<SessionWithFile[]>;
  /** All that users have said of these sessions. */
  said(sessions: readonly { path: string; id: string }[]): Promise<SaidOfSession[]>;
  /** Paths of all sessions of which anything was said. */
  marked(): Promise<string[]>;
}

export interface SessionOutboxOptions {
  /** Of the database. */
  path: string;
  sessions: SessionsToSend;
  places: KnownPlaces;
  log: LibraryLog;
}

/** A file that was read for the index. */
export interface ReadFile {
  path: string;
  status: "session" | "skipped" | "unreadable" | "gone";
  movedFrom: string | null;
}

/** What a hub has not got yet; its thread starts when there are settings. */
export class SessionOutbox implements Outbox {
  readonly #options: SessionOutboxOptions;
  readonly #thread: Thread<SendingTasks>;
  readonly #stop = new AbortController();
  readonly #pending = new PendingSessions();
  readonly #marked = new Set<string>();
  #settings: OutboxSettings | null = null;
  #moves: { from: string; to: string }[] = [];
  #deleted: string[] = [];
  /** Of the batch that is under way. `asked`: behind which state, if it is a question. */
  #underWay: { sent: SentFrame[]; sessions: string[]; asked: number | null } | null = null;
  /** Behind which state the hub is to be asked; `null`: nothing is to be asked. */
  #asksAfter: number | null = 0;
  #hasAllCompared = false;
  /** As the hub has said last. */
  #changeKinds: readonly string[] = FIRST_CHANGE_KINDS;
  #unreadable = new Set<string>();
  onNews: () => void = () => undefined;

  constructor(options: SessionOutboxOptions) {
    this.#options = options;
    const setting = { index: null, caches: cacheShare("vault", 1) };
    this.#thread = new Thread<SendingTasks>(setting, { idleMs: IDLE_MS, places: options.places });
  }

  get settings(): OutboxSettings | null {
    return this.#settings;
  }

  set settings(settings: OutboxSettings | null) {
    const isOther = JSON.stringify(settings) !== JSON.stringify(this.#settings);
    this.#settings = settings;
    if (!isOther) return;
    // It may be another hub, or another user's part of it.
    this.compare();
    this.#pending.clear();
    if (settings !== null && this.#hasAllCompared) void this.catchUp();
  }

  /** Takes note of files that were read for the index. */
  filesRead(files: readonly ReadFile[]): void {
    if (this.#settings === null) return;
    for (const { path, status, movedFrom } of files) {
      if (movedFrom !== null) this.#moves.push({ from: movedFrom, to: path });
      if (status === "session") this.#pending.addFirst(path);
    }
    this.#tell();
  }

  /** Takes note of sessions of which something else is said. */
  marksChanged(paths: readonly string[]): void {
    if (this.#settings === null) return;
    for (const path of paths) this.#marked.add(path);
    this.#tell();
  }

  /** Takes note of sessions that the user has deleted. */
  deleted(paths: readonly string[]): void {
    if (this.#settings === null) return;
    for (const path of paths) this.#pending.delete(path);
    this.#deleted.push(...paths);
    this.#tell();
  }

  /** Finds what was written while nobody watched. Called when the index knows all files. */
  async catchUp(): Promise<void> {
    this.#hasAllCompared = true;
    const { sessions, log } = this.#options;
    const settings = this.#settings;
    if (settings === null) return;
    const { redaction } = settings;
    try {
      for await (const part of sessions.all(FILES_COMPARED)) {
        const chosen = part.filter((session) => isChosen(session, settings));
        const files = chosen.map(({ path, stamp, format, id }) => ({ path, stamp, format, id }));
        const untaken = new Set(await this.#run("untaken", { files, redaction }));
        this.#pending.addLast(chosen.filter(({ path }) => untaken.has(path)));
      }
      for (const path of await sessions.marked()) this.#marked.add(path);
      this.#tell();
    } catch (error) {
      if (!this.#stop.signal.aborted) log.error({ err: error }, "Could not compare the sessions with what was sent");
    }
  }

  compare(): void {
    this.#asksAfter = 0;
  }

  async next(): Promise<OutgoingBatch | null> {
    if (this.#settings === null || !this.#hasAllCompared) return null;
    if (this.#asksAfter !== null) {
      const asked = this.#asksAfter;
      const question = await this.#run("fillQuestion", { after: asked, machineName: hostname() });
      this.#asksAfter = question.next;
      if (question.body !== null) return this.#begin(question, [], asked);
    }
    for (;;) {
      await this.#noteSaid(this.#settings);
      const batch = await this.#nextOfFiles(this.#settings);
      if (batch !== null || this.#marked.size === 0) return batch;
    }
  }

  async delivered(answer: BatchAnswer): Promise<void> {
    const { sent } = this.#underWay ?? { sent: [] };
    const { again, isOtherHub } = await this.#run("takeAnswer", { answer, sent });
    this.#underWay = null;
    this.#changeKinds = answer.change_kinds ?? FIRST_CHANGE_KINDS;
    for (const path of again) this.#pending.addFirst(path);
    if (isOtherHub) await this.catchUp();
  }

  failed(): void {
    const { sessions = [], asked = null } = this.#underWay ?? {};
    for (const path of sessions) this.#pending.addFirst(path);
    this.#asksAfter = asked ?? this.#asksAfter;
    this.#underWay = null;
  }

  async status(): Promise<OutboxStatus> {
    if (this.#settings === null) return { machineId: null, pending: 0, files: 0, problems: [] };
    const { machineId, files, waitingChanges, refused } = await this.#run("outboxStatus", {
      changeKinds: this.#changeKinds,
    });
    const unreadable = this.#unreadable.size;
    return {
      machineId,
      files,
      pending: this.#pending.size + (this.#underWay?.sessions.length ?? 0) + waitingChanges,
      problems: [...refused, ...(unreadable === 0 ? [] : [`${unreadable} files could not be read to be sent.`])],
    };
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#thread.stop();
  }

  /** Those that do not exist, or are not chosen, are not sent any more. */
  async #nextOfFiles(settings: OutboxSettings): Promise<OutgoingBatch | null> {
    for (;;) {
      const paths = this.#pending.take(SESSIONS_AT_ONCE);
      try {
        const found = paths.length === 0 ? [] : await this.#options.sessions.some(paths);
        const sessions = inOrder(
          paths,
          found.filter((session) => isChosen(session, settings)),
        );
        const { redaction } = settings;
        const changeKinds = this.#changeKinds;
        const batch = await this.#run("fillBatch", { sessions, redaction, changeKinds, machineName: hostname() });
        const rest = new Set(batch.rest);
        for (const path of batch.unreadable) this.#unreadable.add(path);
        this.#pending.putBack(paths.filter((path) => rest.has(path)));
        if (batch.body !== null)
          return this.#begin(
            batch,
            paths.filter((path) => !rest.has(path)),
          );
        if (this.#pending.size === 0) return null;
      } catch (error) {
        this.#pending.putBack(paths);
        throw error;
      }
    }
  }

  #begin(
    { body, fileBytes, sent }: SendingTasks["fillQuestion"]["output"] | SendingTasks["fillBatch"]["output"],
    sessions: string[],
    asked: number | null = null,
  ): OutgoingBatch | null {
    if (body === null) return null;
    this.#underWay = { sent, sessions, asked };
    return { body, fileBytes };
  }

  /** Before files are sent: what is moved goes on at its new path. */
  async #noteSaid(settings: OutboxSettings): Promise<void> {
    const at = new Date().toISOString();
    const moves = this.#moves.splice(0);
    const paths = this.#deleted.splice(0);
    const marked = [...this.#marked].slice(0, FILES_COMPARED);
    for (const path of marked) this.#marked.delete(path);
    try {
      if (moves.length > 0) await this.#run("noteMoved", { moves, at });
      if (paths.length > 0) await this.#run("noteDeleted", { paths, at });
      if (marked.length === 0) return;
      const found = (await this.#options.sessions.some(marked)).filter((session) => isChosen(session, settings));
      if (found.length === 0) return;
      await this.#run("noteSaid", { sessions: await this.#options.sessions.said(found), at });
    } catch (error) {
      // To note the same twice changes nothing.
      this.#moves.unshift(...moves);
      this.#deleted.unshift(...paths);
      for (const path of marked) this.#marked.add(path);
      throw error;
    }
  }

  #tell(): void {
    const waiting = this.#pending.size + this.#marked.size + this.#moves.length + this.#deleted.length;
    if ((waiting > 0 || this.#asksAfter !== null) && !this.#stop.signal.aborted) this.onNews();
  }

  #run<Name extends keyof SendingTasks>(
    name: Name,
    input: Omit<SendingTasks[Name]["input"], "database">,
  ): Promise<SendingTasks[Name]["output"]> {
    if (this.#stop.signal.aborted) return Promise.reject(new AppError("UNAVAILABLE", "The service is stopping."));
    const { path: database } = this.#options;
    return this.#thread.run(name, { ...input, database } as never, { signal: this.#stop.signal }) as Promise<
      SendingTasks[Name]["output"]
    >;
  }
}

function isChosen({ format, project }: SessionWithFile, { projects, formats }: OutboxSettings): boolean {
  const isOfProject = projects === null || (project !== null && projects.some((one) => isInside(project, one)));
  return isOfProject && (formats === null || formats.includes(format));
}

function inOrder(paths: readonly string[], found: readonly SessionWithFile[]): SessionWithFile[] {
  const byPath = new Map(found.map((session) => [session.path, session]));
  return paths.flatMap((path) => byPath.get(path) ?? []);
}
