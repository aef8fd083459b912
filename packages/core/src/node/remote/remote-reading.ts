import type { EntryTitle } from "../../format/format.ts";
import { formatNamed } from "../../format/formats.ts";
import { OUTLINE_CHUNK, Outline } from "../../session/outline.ts";
import type { SessionFold } from "../../session/session-fold.ts";
import { answerRow } from "../catalog/answers.ts";
import { descentOf } from "../catalog/descent.ts";
import { forkParents } from "../catalog/fork-family.ts";
import { RecentFolds } from "../catalog/recent-folds.ts";
import { decodeSummary, encodeSummary } from "../catalog/stored-session.ts";
import { errorCode, isAbsence, isRefusal } from "../files/file-errors.ts";
import { RemoteTextIndexing } from "../indexing/remote-text-indexing.ts";
import { mergeRemote } from "../search/remote-merging.ts";
import type { AskTexts } from "../search/remote-texts.ts";
import { readElsewhere } from "../session-file/session-bytes.ts";
import { type ReadSession, withSessionFile } from "../session-file/session-file.ts";
import type { AskStatistics } from "../statistics/remote-statistics.ts";
import type { DeskLink } from "../threads/answer-desk.ts";
import type { TaskHandlers } from "../threads/tasks.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import { RemoteWindows, stampOfRemote } from "./remote-bytes.ts";
import { RemoteFolds } from "./remote-folds.ts";
import { RemoteLine } from "./remote-line.ts";
import type { KnownSession, RemoteSession } from "./remote-sessions.ts";
import type { ReadRemoteSession, RemoteTasks } from "./remote-tasks.ts";

/** For the sessions that grow: without it, each append would fetch their outlines. */
const RECENT_FOLD_BYTES = 8 * 1024 * 1024;

/** Reads sessions that are kept elsewhere, in one thread. */
export class RemoteReading {
  readonly #line: RemoteLine;
  readonly #folds: RemoteFolds;
  readonly #windows: RemoteWindows;
  readonly #recent = new RecentFolds(RECENT_FOLD_BYTES);
  readonly #texts = new RemoteTextIndexing();

  /** From then on, this thread reads no other sessions. */
  constructor(link: DeskLink) {
    this.#line = new RemoteLine(link);
    this.#folds = new RemoteFolds(this.#line);
    this.#windows = new RemoteWindows(this.#line);
    readElsewhere((path) => this.#windows.open(path));
  }

  /** Runs a task that reads. */
  run<T>(task: CurrentTask, action: () => T): T {
    return this.#line.run(task, action);
  }

  /** Asks for texts in the name of the task that runs. */
  readonly ask: AskTexts = (name, ...input) => this.#line.ask(name, ...input);

  /** Asks for what is counted in the name of the task that runs. */
  readonly askStatistics: AskStatistics = (name, ...input) => this.#line.ask(name, ...input);

  /** See `SessionReader`. */
  readonly findFold = (path: string) => this.#folds.find(path);

  readonly handlers: Omit<TaskHandlers<RemoteTasks>, "work" | "isFree"> = {
    readRemote: ({ sessions }, task) => {
      // Their texts are read next.
      this.#windows.keep(
        sessions.reduce((sum, { session: { file, known } }) => sum + file.size - (known?.size ?? 0), 0),
      );
      return sessions.map(({ path, session }) => {
        task.check();
        return this.#read(path, session);
      });
    },
    readTexts: ({ sessions }, task) => this.#texts.read(sessions, task, this.ask),
    mergeTexts: ({ worn }, task) =>
      mergeRemote(worn, task, this.ask, (chunks) => this.#line.ask("storeChunks", chunks)),
    toldTitles: ({ sessions }) =>
      sessions.flatMap(({ key, titles }) => {
        const title = this.#toldTitle(key, titles);
        return title === null ? [] : [{ key, title }];
      }),
    forkParents: ({ members }) => {
      const parents = forkParents(members.map((member) => ({ ...member, entries: () => this.#entries(member.key) })));
      return [...parents].map(([key, parent]) => ({ key, parent }));
    },
  };

  #read(path: string, { file, known }: RemoteSession): ReadRemoteSession | null {
    this.#line.expect(path, file);
    const stamp = stampOfRemote(file);
    const kept = known === null ? undefined : { progress: known.progress, fold: () => this.#foldToResume(known) };
    let read: ReadSession;
    try {
      read = withSessionFile(path, (opened) => opened.read(kept, stamp));
    } catch (error) {
      const code = errorCode(error);
      if (isAbsence(code) || isRefusal(code)) return null;
      throw error;
    }
    const { fold, progress, resumedAt } = read;
    if (!fold.isSession) return null;
    const summary = fold.summary();
    const record = fold.record({ path, size: file.size, modifiedAt: file.modifiedAt });
    const { outline, activity } = fold;
    const { titlesOthers = false } = formatNamed(record.format).agent;
    const otherTitles = fold.takeOtherTitles();
    const result: ReadRemoteSession = {
      record,
      descent: descentOf(path, record.format, fold.state, outline),
      summary: encodeSummary(summary),
      progress,
      entryCount: outline.count,
      resumedAt,
      outline: [...outline.changedChunks()].map((first) => ({
        place: first / OUTLINE_CHUNK,
        entries: outline.encodeChunk(first),
      })),
      activity: activity.changedChunks(),
      answers: fold.newAnswers.map(answerRow),
      otherTitles: titlesOthers ? otherTitles : [],
      isUntitled: titlesOthers && (fold.header?.title ?? null) === null,
    };
    outline.changesKept();
    activity.changesKept();
    fold.answersKept();
    // One that was read as a whole will perhaps never grow.
    if (known !== null && resumedAt > 0) {
      this.#recent.put(known.key, { fold, progress, stateLength: result.summary.length });
    }
    return result;
  }

  #toldTitle(key: number, titles: readonly EntryTitle[]): string | null {
    const outline = Outline.decode(this.#line.ask("outline", key));
    let newest = 0;
    let found: string | null = null;
    for (const { entryId, title } of titles) {
      const ordinal = outline.ordinalOf(entryId);
      if (ordinal < newest) continue;
      newest = ordinal;
      found = title;
    }
    return found;
  }

  #foldToResume(known: KnownSession): SessionFold {
    const recent = this.#recent.take(known.key, known.progress);
    if (recent === null) return this.#folds.fold(known);
    // Others may have told it since.
    recent.state.told_title = decodeSummary(known).state.told_title;
    return recent;
  }

  *#entries(key: number) {
    const outline = Outline.decode(this.#line.ask("outline", key));
    for (let ordinal = 0; ordinal < outline.count; ordinal++) yield outline.at(ordinal);
  }
}
