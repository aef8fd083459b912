import { setTimeout as delay } from "node:timers/promises";
import type * as v from "valibot";
import type { Bookmark } from "../../bookmarks.ts";
import type { ChangeSums, SessionChanges } from "../../changes.ts";
import type { Outbox } from "../../hub/outbox.ts";
import {
  archivedSessionsInput,
  archiveInput,
  bookmarkInput,
  bookmarksInput,
  changeSumsInput,
  type changesInput,
  conversionInput,
  deleteInput,
  type entriesInput,
  exportInput,
  exportStreamInput,
  type findInput,
  type listInput,
  type namedFilesInput,
  noteInput,
  notesInput,
  redactionsInput,
  type searchInput,
  sessionInput,
  type statisticsInput,
  type toolOutputInput,
} from "../../input/library.ts";
import { validate } from "../../input/validate.ts";
import type {
  ArchivedChange,
  ConvertedSession,
  DeletedSession,
  DeletionPreview,
  EntriesPage,
  ExportedPieces,
  ExportedSession,
  ExportStream,
  FileCounts,
  FindPage,
  LibraryStatus,
  NamedFile,
  RedactionPreview,
  SearchPage,
  SessionPage,
  ToolOutput,
  TranscriptPage,
  TreeEntry,
} from "../../library.ts";
import type { Note } from "../../notes.ts";
import type { UserPrices } from "../../prices/model-prices.ts";
import type { Requester } from "../../requester.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { SessionStatistics } from "../../statistics.ts";
import type { TagService } from "../../tags.ts";
import type { VaultService, VaultSettings } from "../../vault.ts";
import type { Work } from "../session-file/work.ts";
import type { Move } from "../state/moved-sessions.ts";
import type { SessionIdentity } from "../state/ports.ts";
import type { LibraryMemory } from "../threads/cache-budget.ts";
import type { ChosenPaths } from "./directories.ts";
import type { Library, LibraryOptions } from "./library.ts";
import { LibraryServices } from "./library-services.ts";
import { libraryStatistics } from "./library-statistics.ts";
import { libraryStatus } from "./library-status.ts";
import type { SessionAgents } from "./live-files.ts";

/** A disk that does not respond must not block sessions on other disks. */
const MAX_SURVEY_MS = 50;

/**
 * Opens the sessions of an agent's home. Resolves when requests can be answered: the scan of the directories continues
 * in the background, see `status`.
 *
 * @throws AppError READ_ONLY if `dataDir` is not writable, UNAVAILABLE if a newer version has written to it.
 */
export async function openLibrary(options: LibraryOptions): Promise<Library> {
  const services = new LibraryServices(options);
  await Promise.race([services.start(), delay(MAX_SURVEY_MS, undefined, { ref: false })]);
  return new NodeLibrary(services);
}

/** Answers each request by one of the services. */
class NodeLibrary implements Library {
  readonly tags: TagService;
  readonly vault: VaultService;
  readonly outbox: Outbox;
  readonly #services: LibraryServices;

  constructor(services: LibraryServices) {
    this.tags = services.tags;
    this.vault = services.vault;
    this.outbox = services.outbox;
    this.#services = services;
  }

  async scan(requester?: Requester): Promise<AsyncIterable<SessionRecord>> {
    return this.#services.lists.scan(requester);
  }

  async scanJson(requester?: Requester): Promise<AsyncIterable<Uint8Array>> {
    return this.#services.lists.scanJson(requester);
  }

  async list(options: v.InferInput<typeof listInput> = {}): Promise<SessionPage> {
    return this.#services.lists.page(options);
  }

  async textStream(given: string, requester?: Requester): Promise<AsyncIterable<string>> {
    return this.#services.reading.text(given, requester);
  }

  async readText(given: string): Promise<string> {
    let text = "";
    for await (const piece of await this.textStream(given)) text += piece;
    return text;
  }

  async entriesJson(given: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<Uint8Array> {
    return this.#services.reading.entries(given, requester);
  }

  async readEntries(given: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<EntriesPage> {
    return JSON.parse(new TextDecoder().decode(await this.entriesJson(given, requester)));
  }

  async transcriptJson(given: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<Uint8Array> {
    return this.#services.reading.transcript(given, requester);
  }

  async readTranscript(given: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<TranscriptPage> {
    return JSON.parse(new TextDecoder().decode(await this.transcriptJson(given, requester)));
  }

  async toolOutputJson(given: v.InferInput<typeof toolOutputInput>, requester?: Requester): Promise<Uint8Array> {
    return this.#services.reading.toolOutput(given, requester);
  }

  async readToolOutput(given: v.InferInput<typeof toolOutputInput>, requester?: Requester): Promise<ToolOutput> {
    return JSON.parse(new TextDecoder().decode(await this.toolOutputJson(given, requester)));
  }

  async find(given: v.InferInput<typeof findInput>, requester?: Requester): Promise<FindPage> {
    return this.#services.reading.find(given, requester);
  }

  async changes(given: v.InferInput<typeof changesInput>, requester?: Requester): Promise<SessionChanges> {
    return this.#services.reading.changes(given, requester);
  }

  async changeSums(given: v.InferInput<typeof changeSumsInput>, requester?: Requester): Promise<ChangeSums[]> {
    const { paths } = validate(changeSumsInput, given);
    return this.#services.changeSums.of(paths, requester);
  }

  async readTree(given: string, requester?: Requester): Promise<AsyncIterable<TreeEntry>> {
    return this.#services.reading.tree(given, requester);
  }

  async rename(path: string, name: string, requester?: Requester): Promise<SessionRecord> {
    return this.#services.writing.rename(path, name, requester);
  }

  async fork(path: string, entryId: string | null = null, requester?: Requester): Promise<SessionRecord> {
    return this.#services.writing.fork(path, entryId, requester);
  }

  async convert(given: v.InferInput<typeof conversionInput>, requester?: Requester): Promise<ConvertedSession> {
    const options = validate(conversionInput, given);
    return this.#services.conversions.convert(await this.session(options.path), options, requester);
  }

  async delete(givenPath: string, options: { force?: boolean | null | undefined } = {}): Promise<DeletedSession> {
    const { path, force } = validate(deleteInput, { ...options, path: givenPath });
    return this.#services.deletion.delete(path, force);
  }

  async previewDeletion(given: string): Promise<DeletionPreview> {
    const { path } = validate(sessionInput, { path: given });
    return this.#services.deletion.preview(path);
  }

  async exportPieces(options: v.InferInput<typeof exportInput>, requester?: Requester): Promise<ExportedPieces> {
    return this.#services.exports.whole(validate(exportInput, options), requester);
  }

  async export(options: v.InferInput<typeof exportInput>, requester?: Requester): Promise<ExportedSession> {
    const { content, ...exported } = await this.exportPieces(options, requester);
    return { ...exported, content: Buffer.concat(content).toString("utf8") };
  }

  async exportStream(options: v.InferInput<typeof exportStreamInput>, requester?: Requester): Promise<ExportStream> {
    return this.#services.exports.stream(validate(exportStreamInput, options), requester);
  }

  async exportArchive(options: v.InferInput<typeof archiveInput>, requester?: Requester): Promise<ExportStream> {
    return this.#services.exports.archive(validate(archiveInput, options), requester);
  }

  async previewRedactions(
    options: v.InferInput<typeof redactionsInput>,
    requester?: Requester,
  ): Promise<RedactionPreview> {
    return this.#services.exports.previewRedactions(validate(redactionsInput, options), requester);
  }

  async search(given: v.InferInput<typeof searchInput>, requester?: Requester): Promise<SearchPage> {
    return this.#services.search.search(given, requester);
  }

  async namedFiles(given: v.InferInput<typeof namedFilesInput>, requester?: Requester): Promise<NamedFile[]> {
    return this.#services.search.namedFiles(given, requester);
  }

  async statistics(
    options: v.InferInput<typeof statisticsInput> = {},
    requester?: Requester,
  ): Promise<SessionStatistics> {
    const { index, comparison } = this.#services;
    const withMarks = (records: SessionRecord[]) => this.#services.withMarks(records);
    return libraryStatistics({ index, comparison, withMarks }, options, requester);
  }

  setVaultSettings(settings: VaultSettings): void {
    this.#services.keeping.settings = settings;
  }

  setPrices(prices: UserPrices): void {
    this.#services.index.prices = prices;
  }

  async toggleFavorite(path: string): Promise<{ path: string; is_favorite: boolean }> {
    return this.#services.favorites.toggle(path);
  }

  async setArchived(paths: readonly string[], isArchived: boolean): Promise<ArchivedChange> {
    return this.#services.archiving.set(validate(archivedSessionsInput, { paths: [...paths] }).paths, isArchived);
  }

  async setNote(givenPath: string, entryId: string | null, givenText: string): Promise<Note | null> {
    const { path, entry_id, text } = validate(noteInput, { path: givenPath, entry_id: entryId, text: givenText });
    return this.#services.notes.set(path, entry_id ?? null, text);
  }

  async notes(given: string | null = null): Promise<AsyncIterable<Note>> {
    return this.#services.notes.list(validate(notesInput, { path: given }).path ?? null);
  }

  async setBookmark(givenPath: string, entryId: string, isBookmarked: boolean, givenLabel: string | null = null) {
    const given = { path: givenPath, entry_id: entryId, bookmarked: isBookmarked, label: givenLabel };
    const { path, entry_id, bookmarked, label } = validate(bookmarkInput, given);
    return this.#services.bookmarks.set(path, entry_id, bookmarked, label ?? null);
  }

  async bookmarks(given: string | null = null): Promise<Bookmark[]> {
    return this.#services.bookmarks.list(validate(bookmarksInput, { path: given }).path ?? null);
  }

  projects(): Promise<string[]> {
    return this.#services.index.list((listing) => listing.projects());
  }

  marksChanged(paths: string[]): void {
    this.#services.marksChanged(paths);
  }

  movedSessions(sessions: readonly SessionIdentity[]): Promise<Move[]> {
    return this.#services.marking.moved(sessions);
  }

  async session(path: string): Promise<SessionRecord> {
    return this.#services.current.session(path);
  }

  setLivePaths(paths: ReadonlySet<string>, agents: SessionAgents): void {
    this.#services.live.set(paths, agents);
  }

  async favorites(): Promise<string[]> {
    return this.#services.favorites.paths();
  }

  directories(): Promise<string[]> {
    return this.#services.directories.list();
  }

  async filesIn(directories: readonly string[]): Promise<FileCounts[]> {
    return this.#services.lists.filesIn(directories);
  }

  async setPaths(paths: ChosenPaths): Promise<void> {
    await this.#services.setPaths(paths);
  }

  get indexedBytes(): number {
    return this.#services.index.indexedBytes;
  }

  get memory(): LibraryMemory {
    return this.#services.index.memory;
  }

  get watchEvents(): number {
    return this.#services.watching?.events ?? 0;
  }

  status(): LibraryStatus {
    return libraryStatus(this.#services);
  }

  work(): Promise<Work> {
    return this.#services.index.work();
  }

  ready(): Promise<void> {
    return this.#services.progress.ready();
  }

  async close(): Promise<void> {
    await this.#services.close();
  }
}
