import {
  AppError,
  type ChangeSums,
  type ChangesOptions,
  type ConversionOptions,
  type ConvertedSession,
  type EntriesOptions,
  type FindOptions,
  type FindPage,
  type Requester,
  type SessionChanges,
  type SessionRecord,
  type TreeEntry,
} from "@sm/core";
import { flattened, type Marking, oneAhead, pulled, textOf, treeSubagent } from "@sm/core/library-parts";
import type { RemoteReader } from "@sm/core/remote";
import type { ReadTrail } from "../sharing/read-trail.ts";
import type { FileBytes } from "./file-bytes.ts";
import type { KnownSessions } from "./known-sessions.ts";
import { notFound } from "./not-found.ts";
import { onlyRead } from "./only-read.ts";

/** A text is one string: those of clients are limited to 512 MB. */
const MOST_TEXT_BYTES = 256 * 1024 * 1024;

export interface HubReadingOptions {
  reader: RemoteReader;
  bytes: FileBytes;
  known: Pick<KnownSessions, "owners" | "startedBy">;
  marking: Pick<Marking, "names">;
  /** Of what is read of others. */
  trail: Pick<ReadTrail, "note">;
  /** Rejects with AppError NOT_FOUND. */
  session(path: string): Promise<SessionRecord>;
}

/** Reads the sessions that one user may see on a hub, and notes whose they are. */
export class HubReading {
  readonly #options: HubReadingOptions;

  constructor(options: HubReadingOptions) {
    this.#options = options;
  }

  async textStream(path: string, requester?: Requester): Promise<AsyncIterable<string>> {
    const { size_bytes: size } = await this.#options.session(path);
    await this.noted([path], "read_session_file");
    if (size > MOST_TEXT_BYTES) {
      throw new AppError("PAYLOAD_TOO_LARGE", "The session is larger than 256 MiB; download it with GET /api/export.");
    }
    return textOf(this.#options.bytes.of(path, {}, requester?.signal));
  }

  async entriesJson(options: EntriesOptions, requester?: Requester): Promise<Uint8Array> {
    return this.#options.reader.quickly("entries", await this.#reading(options, "read_session_entries"), requester);
  }

  async transcriptJson(options: EntriesOptions, requester?: Requester): Promise<Uint8Array> {
    return this.#options.reader.quickly("transcript", await this.#reading(options, "read_transcript"), requester);
  }

  async toolOutputJson(options: { path: string; entry_id: string }, requester?: Requester): Promise<Uint8Array> {
    return this.#options.reader.quickly("toolOutput", await this.#reading(options, "read_tool_output"), requester);
  }

  async find(options: FindOptions, requester?: Requester): Promise<FindPage> {
    return this.#options.reader.atLength("find", await this.#reading(options, "find_in_session"), requester);
  }

  async changes(options: ChangesOptions, requester?: Requester): Promise<SessionChanges> {
    return this.#options.reader.atLength("changes", await this.#reading(options, "read_session_changes"), requester);
  }

  async changeSums({ paths }: { paths: string[] }, requester?: Requester): Promise<ChangeSums[]> {
    const sums: ChangeSums[] = [];
    for (const path of await this.noted(paths, "list_change_sums")) {
      sums.push({ path, ...(await this.#options.reader.atLength("changeCounts", { path }, requester)) });
    }
    return sums;
  }

  async readTree(given: string, requester?: Requester): Promise<AsyncIterable<TreeEntry>> {
    const { reader, marking, known } = this.#options;
    const path = await this.path(given, "read_session_tree");
    const names = await marking.names();
    const started = await known.startedBy(path);
    const subagents = started.map((record) => treeSubagent(record, names.get(record.path) ?? ""));
    const { stream } = await reader.atLength("treeStart", { path, subagents }, requester);
    const next = () => reader.atLength("treeNext", { stream }, requester);
    return flattened(pulled(oneAhead(next), () => reader.stopStream("treeStop", stream), requester?.signal));
  }

  /** A brief tells another agent, wherever that runs, how to go on; a session of pi would have to be on its machine. */
  async convert(options: ConversionOptions, requester?: Requester): Promise<ConvertedSession> {
    const { to, entry_id: entryId = null, redact_words: words = [] } = options;
    const { path, title } = await this.#options.session(options.path);
    if (to === "pi") throw onlyRead("converted");
    await this.noted([path], "convert_session");
    const brief = await this.#options.reader.atLength("brief", { path, entryId, title, words }, requester);
    return { to, session: null, brief, brief_path: null, command: null };
  }

  /** Finds a session that is to be read. @param action what the trail says of it. */
  async path(given: string, action: string): Promise<string> {
    if ((await this.noted([given], action)).has(given)) return given;
    throw notFound(given);
  }

  /** Notes that sessions are read, as far as they are those of others; gives the paths of all that there are. */
  async noted(paths: readonly string[], action: string): Promise<Set<string>> {
    const { existing, others } = await this.#options.known.owners(paths);
    await this.#options.trail.note(others, action);
    return existing;
  }

  /** What a thread is asked to read: a session that there is. @param action what the trail says of it. */
  async #reading<Options extends { path: string }>(options: Options, action: string): Promise<Options> {
    return { ...options, path: await this.path(options.path, action) };
  }
}
