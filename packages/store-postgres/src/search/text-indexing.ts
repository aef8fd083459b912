import type { RemoteFiles, RemoteTasks, TextsToRead, Thread } from "@sm/core/remote";
import { sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { threadSource } from "../database/thread-source.ts";
import { StoredTexts } from "./stored-texts.ts";
import { SegmentWriting } from "./text-store.ts";

/** What reads texts, and from where. */
export interface TextIndexingTools {
  thread: Pick<Thread<RemoteTasks>, "run">;
  /** Answers what the thread asks of files. */
  files: RemoteFiles;
}

/** A session whose texts are read, and the shared project that they are kept with; `null`: they are private. */
export type TextsOfProject = TextsToRead & { sharedProjectId: string | null };

/**
 * Makes the texts of sessions searchable that are in the catalog, in the transaction of somebody, with the note of how many
 * entries of each are. A segment is written for every four million words, and for each shared project: whoever may search
 * it sees it as a whole.
 */
export async function indexTexts(
  db: Queries,
  sessions: readonly TextsOfProject[],
  tools: TextIndexingTools,
): Promise<void> {
  for (const project of new Set(sessions.map(({ sharedProjectId }) => sharedProjectId))) {
    const ofProject = sessions.filter(({ sharedProjectId }) => sharedProjectId === project);
    await indexTextsOf(db, project, ofProject, tools);
  }
}

async function indexTextsOf(
  db: Queries,
  sharedProjectId: string | null,
  sessions: readonly TextsOfProject[],
  { thread, files }: TextIndexingTools,
): Promise<void> {
  const texts = new StoredTexts(async () => db);
  const source = threadSource({
    outlineChunks: texts.outlineChunks.bind(texts),
    file: files.file.bind(files),
    read: files.read.bind(files),
  });
  for (let left = [...sessions]; left.length > 0; ) {
    const { segment, superseded, read } = await thread.run("readTexts", { sessions: left }, { source });
    if (segment !== null) await new SegmentWriting(db, sharedProjectId).complete(segment, superseded);
    await db.execute(sql`
      UPDATE sessions SET indexed_count = done.entries
      FROM unnest(${sql.param(read.map(({ key }) => key))}::bigint[],
        ${sql.param(read.map(({ entries }) => entries))}::integer[]) AS done (key, entries)
      WHERE sessions.key = done.key`);
    const done = new Map(read.map(({ key, entries }) => [key, entries]));
    left = left
      .map((session) => ({ ...session, firstEntry: done.get(session.key) ?? session.firstEntry }))
      .filter(({ firstEntry, entryCount }) => firstEntry < entryCount);
  }
}
