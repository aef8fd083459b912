import type * as v from "valibot";
import type { SessionChanges } from "../../changes.ts";
import { changesInput, entriesInput, findInput, sessionInput, toolOutputInput } from "../../input/library.ts";
import { validate } from "../../input/validate.ts";
import type { FindPage, TreeEntry } from "../../library.ts";
import type { Requester } from "../../requester.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import { bytesOf, type FileToRead, flattened, oneAhead, pulled, textOf } from "../reading/read-ahead.ts";
import type { CurrentSessions } from "./current-sessions.ts";
import type { SessionDirectories } from "./directories.ts";
import type { FileRange } from "./library-exports.ts";
import { treeSubagent } from "./tree-subagent.ts";

/** Maximum size of a session read as text: strings of clients are limited to 512 MB. */
const MAX_TEXT_SIZE = 256 * 1024 * 1024;

export interface SessionReadingOptions {
  index: Pick<OpenIndex, "quickly" | "atLength" | "stopStream" | "list">;
  directories: Pick<SessionDirectories, "sessionPath" | "isPlace">;
  current: Pick<CurrentSessions, "path">;
  /** Names that sessions have apart from their files, by path. */
  names(): Promise<ReadonlyMap<string, string>>;
}

/** Reads one session at a time, as its file is now. Each method validates what it is given. */
export class SessionReading {
  readonly #options: SessionReadingOptions;

  constructor(options: SessionReadingOptions) {
    this.#options = options;
  }

  async text(given: string, requester?: Requester): Promise<AsyncIterable<string>> {
    const { path } = validate(sessionInput, { path: given });
    const file = this.#file(await this.#options.directories.sessionPath(path), {}, requester);
    return textOf(bytesOf(file, { largest: MAX_TEXT_SIZE, signal: requester?.signal }));
  }

  /** @param path in the index. */
  bytes(path: string, range: FileRange, requester?: Requester): AsyncIterable<Uint8Array> {
    return bytesOf(this.#file(path, range, requester), { signal: requester?.signal });
  }

  /** JSON of an `EntriesPage`. */
  async entries(given: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<Uint8Array> {
    const options = validate(entriesInput, given);
    const path = await this.#options.current.path(options.path);
    return this.#options.index.quickly("entries", { ...options, path }, requester);
  }

  /** JSON of a `TranscriptPage`. */
  async transcript(given: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<Uint8Array> {
    const options = validate(entriesInput, given);
    const path = await this.#options.current.path(options.path);
    return this.#options.index.quickly("transcript", { ...options, path }, requester);
  }

  /** JSON of a `ToolOutput`. */
  async toolOutput(given: v.InferInput<typeof toolOutputInput>, requester?: Requester): Promise<Uint8Array> {
    const options = validate(toolOutputInput, given);
    const path = await this.#options.current.path(options.path);
    return this.#options.index.quickly("toolOutput", { ...options, path }, requester);
  }

  async find(given: v.InferInput<typeof findInput>, requester?: Requester): Promise<FindPage> {
    const options = validate(findInput, given);
    const path = await this.#options.current.path(options.path);
    return this.#options.index.atLength("find", { ...options, path }, requester);
  }

  async changes(given: v.InferInput<typeof changesInput>, requester?: Requester): Promise<SessionChanges> {
    const options = validate(changesInput, given);
    const path = await this.#options.current.path(options.path);
    return this.#options.index.atLength("changes", { ...options, path }, requester);
  }

  async tree(given: string, requester?: Requester): Promise<AsyncIterable<TreeEntry>> {
    const { path } = validate(sessionInput, { path: given });
    const { index } = this.#options;
    const own = await this.#options.current.path(path);
    const started = await index.list((listing) => listing.startedBy(own));
    const names = await this.#options.names();
    const subagents = started.map((record) => treeSubagent(record, names.get(record.path) ?? ""));
    const { stream } = await index.atLength("treeStart", { path: own, subagents }, requester);
    const next = () => index.atLength("treeNext", { stream }, requester);
    return flattened(pulled(oneAhead(next), () => index.stopStream("treeStop", stream), requester?.signal));
  }

  /** The file of a session, or what the vault has of one that is gone. */
  #file(path: string, range: FileRange, requester?: Requester): FileToRead {
    const { index, directories } = this.#options;
    return {
      path,
      isAllowed: (real) => directories.isPlace(path, real),
      kept: (offset, length) => index.atLength("keptBytes", { path, offset, length }, requester),
      ...range,
    };
  }
}
