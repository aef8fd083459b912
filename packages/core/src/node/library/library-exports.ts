import { basename } from "node:path";
import { AppError } from "../../errors.ts";
import { exportFileName } from "../../export/file-name.ts";
import type {
  ArchiveOptions,
  ExportedPieces,
  ExportFormat,
  ExportOptions,
  ExportStream,
  ExportStreamOptions,
  RedactionOptions,
  RedactionPreview,
} from "../../library.ts";
import type { LibraryLog } from "../../library-log.ts";
import type { Requester } from "../../requester.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { RedactionCount, TranscriptNotes } from "../../session/transcript.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import type { ExportedSubagent } from "../reading/export-session.ts";
import type { ArchivePart } from "../reading/export-zip.ts";
import { pulled } from "../reading/read-ahead.ts";
import { unpackedPath } from "../session-file/session-file-name.ts";

/** Limit of an export in one response, which is held in memory; downloads have no limit. */
const MAX_EXPORT_BYTES = 32 * 1024 * 1024;

/** In an archive, below one session. */
const MOST_SUBAGENTS = 10_000;

const NONE: ReadonlyMap<string, string> = new Map();

export interface LibraryExportsOptions {
  reader: Pick<OpenIndex, "atLength" | "stopStream">;
  sessions: ExportedSessions;
  log: LibraryLog;
  /** Names that sessions have apart from their files, by path. */
  names(): Promise<ReadonlyMap<string, string>>;
  notes(path: string): Promise<TranscriptNotes>;
}

/** The sessions of a library, for those who export them. */
export interface ExportedSessions {
  /** Gives the path in the library of one that a payload names. Rejects like all commands with a path. */
  place(given: string): Promise<string>;
  /** The same for several, each once. */
  places(given: readonly string[]): Promise<string[]>;
  /** The same for one that has been brought up to date. */
  path(given: string): Promise<string>;
  /** The record of a session that has been brought up to date. Rejects with AppError NOT_FOUND if it is none. */
  record(path: string): Promise<SessionRecord>;
  /** The record as it is known. */
  known(path: string): Promise<SessionRecord | null>;
  /** Those of these paths that are sessions. */
  existing(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Paths of all subagents below a session, each behind the one that has started it. */
  subagentsBelow(path: string, most: number): Promise<{ path: string; parent: string }[]>;
  /** The bytes of its file. */
  bytes(path: string, range: FileRange, requester?: Requester): AsyncIterable<Uint8Array>;
}

/** Default: from the beginning, to the end. */
export interface FileRange {
  offset?: number | undefined;
  length?: number | undefined;
}

/** Exports of a library; implements methods of `SessionLibrary`. */
export class LibraryExports {
  readonly #options: LibraryExportsOptions;

  constructor(options: LibraryExportsOptions) {
    this.#options = options;
  }

  async whole(options: ExportOptions, requester?: Requester): Promise<ExportedPieces> {
    const { format } = options;
    const stream = await this.#startExport(options, requester);
    const content: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of stream.chunks) {
      bytes += chunk.length;
      if (bytes > MAX_EXPORT_BYTES) {
        throw new AppError(
          "PAYLOAD_TOO_LARGE",
          `The export is larger than ${MAX_EXPORT_BYTES / 1024 / 1024} MiB, the limit for one response; download it with GET /api/export.`,
        );
      }
      content.push(chunk);
    }
    const { file_name, media_type } = stream;
    return { format, file_name, media_type, content, redactions: stream.redactions() };
  }

  async stream(
    { format, offset, length, ...options }: ExportStreamOptions,
    requester?: Requester,
  ): Promise<ExportStream> {
    if (format !== "jsonl") {
      refuseRange({ offset, length });
      return this.#startExport({ ...options, format }, requester);
    }
    refuseToChange(options);
    refuseSubagents(options);
    const { sessions } = this.#options;
    const own = await sessions.place(options.path);
    const chunks = sessions.bytes(own, { offset, length }, requester);
    return { file_name: basename(unpackedPath(own)), media_type: "application/x-ndjson", chunks };
  }

  async #startExport(options: ExportOptions, requester?: Requester): Promise<StartedExport> {
    const { reader, sessions } = this.#options;
    const path = await sessions.path(options.path);
    const names = await this.#options.names();
    const usage = (await sessions.known(path))?.usage;
    const notes = await this.#notesFor(options, path);
    const { include_subagents, ...manner } = options;
    const subagents = include_subagents === true ? await this.#subagents(options, path, names) : undefined;
    const task = { ...manner, redact: isRedacted(options), path, name: names.get(path), notes, usage, subagents };
    const { stream, title, cwd } = await reader.atLength("exportStart", task, requester);
    let redactions: RedactionCount[] | null = null;
    const next = async (): Promise<Uint8Array | null> => {
      const piece = await reader.atLength("exportNext", { stream }, requester);
      if (piece === null || piece instanceof Uint8Array) return piece;
      redactions = piece;
      return next();
    };
    const { extension, mediaType } = EXPORT_FILES[options.format];
    return {
      file_name: exportFileName(title, extension),
      media_type: mediaType,
      chunks: pulled(next, () => reader.stopStream("exportStop", stream), requester?.signal),
      redactions: () => redactions,
      title,
      cwd,
    };
  }

  async #subagents(
    options: Pick<ExportOptions, "include_notes">,
    path: string,
    names: ReadonlyMap<string, string>,
  ): Promise<ExportedSubagent[]> {
    const { sessions } = this.#options;
    const below = await sessions.subagentsBelow(path, MOST_SUBAGENTS);
    const found: ExportedSubagent[] = [];
    for (const subagent of below) {
      try {
        const { id, usage } = await sessions.record(await sessions.place(subagent.path));
        const notes = await this.#notesFor(options, subagent.path);
        found.push({ path: subagent.path, id, usage, notes, name: names.get(subagent.path) });
      } catch (error) {
        // Gone since it was listed.
        if (!(error instanceof AppError)) throw error;
      }
    }
    return found;
  }

  async previewRedactions(options: RedactionOptions, requester?: Requester): Promise<RedactionPreview> {
    const { reader, sessions } = this.#options;
    const path = await sessions.path(options.path);
    const names = await this.#options.names();
    const name = names.get(path);
    const notes = await this.#notesFor(options, path);
    const { include_subagents, ...manner } = options;
    const subagents = include_subagents === true ? await this.#subagents(options, path, names) : undefined;
    const { stream } = await reader.atLength("previewStart", { ...manner, path, name, notes, subagents }, requester);
    const next = () => reader.atLength("previewNext", { stream }, requester);
    const pieces = pulled(next, () => reader.stopStream("previewStop", stream), requester?.signal);
    for await (const { preview } of pieces) if (preview !== null) return preview;
    throw new Error("A preview ended without a result.");
  }

  async archive(
    { paths, include_subagents, ...options }: ArchiveOptions,
    requester?: Requester,
  ): Promise<ExportStream> {
    if (options.format === "jsonl") refuseToChange(options);
    const { sessions } = this.#options;
    const own = await sessions.places(paths);
    const known = await sessions.existing(own);
    for (const path of own) if (!known.has(path)) await sessions.record(path);
    const { all, parents } = include_subagents === true ? await this.#withSubagents(own) : { all: own, parents: NONE };
    // Loaded on demand: most users never create an archive.
    const { archiveStream } = await import("../reading/export-zip.ts");
    return archiveStream(all, {
      theme: options.theme,
      parents,
      open: (path) => this.#archivePart({ ...options, path }, requester),
      log: this.#options.log,
    });
  }

  async #notesFor(options: { include_notes?: boolean | undefined }, path: string) {
    return options.include_notes === true ? this.#options.notes(path) : undefined;
  }

  /** Puts the subagents of sessions behind them, each once. */
  async #withSubagents(paths: readonly string[]): Promise<{ all: string[]; parents: Map<string, string> }> {
    const parents = new Map<string, string>();
    const trees: string[][] = [];
    for (const path of paths) {
      const below = await this.#options.sessions.subagentsBelow(path, MOST_SUBAGENTS);
      for (const subagent of below) parents.set(subagent.path, subagent.parent);
      trees.push([path, ...below.map((subagent) => subagent.path)]);
    }
    // What was asked for beside its parent is in the parent's folder.
    return { all: [...new Set(trees.filter(([root = ""]) => !parents.has(root)).flat())], parents };
  }

  async #archivePart({ format, ...options }: ExportStreamOptions, requester?: Requester): Promise<ArchivePart> {
    const record = await this.#options.sessions.record(options.path);
    if (format === "jsonl") return { record, file: await this.stream({ ...options, format }, requester) };
    const file = await this.#startExport({ ...options, format }, requester);
    // The index page must not reveal what an export has redacted.
    return { record: { ...record, title: file.title, cwd: file.cwd }, file };
  }
}

/** An export with the title and working directory it contains. */
interface StartedExport extends ExportStream {
  title: string;
  cwd: string | null;
  /** Available after the last chunk. */
  redactions(): RedactionCount[] | null;
}

function refuseRange(range: Pick<ExportStreamOptions, "offset" | "length">): void {
  const details = Object.entries(range).flatMap(([path, value]) =>
    value === undefined ? [] : [{ path, message: "With the format jsonl only." }],
  );
  if (details.length === 0) return;
  throw new AppError("INVALID_PAYLOAD", "Only the format jsonl supports ranges.", { details });
}

/** Whoever names words means not to publish the rest either. */
function isRedacted({ redact, redact_words }: Pick<ExportStreamOptions, "redact" | "redact_words">): boolean {
  return redact || (redact_words?.length ?? 0) > 0;
}

/** The format jsonl is the file as it is. */
function refuseToChange(options: Pick<ExportStreamOptions, "redact" | "redact_words" | "include_notes">): void {
  const redacts = isRedacted(options);
  const [path, what] = redacts
    ? [options.redact ? "redact" : "redact_words", "be redacted"]
    : ["include_notes", "have notes"];
  if (!redacts && options.include_notes !== true) return;
  throw new AppError("INVALID_PAYLOAD", `The format jsonl cannot ${what}; use html, markdown or json.`, {
    details: [{ path, message: "Not with the format jsonl." }],
  });
}

function refuseSubagents({ include_subagents }: Pick<ExportOptions, "include_subagents">): void {
  if (include_subagents !== true) return;
  throw new AppError("INVALID_PAYLOAD", "The format jsonl is one session's file; use html, markdown, json or a zip.", {
    details: [{ path: "include_subagents", message: "Not with the format jsonl." }],
  });
}

const EXPORT_FILES: Record<ExportFormat, { extension: string; mediaType: string }> = {
  html: { extension: "html", mediaType: "text/html; charset=utf-8" },
  markdown: { extension: "md", mediaType: "text/markdown; charset=utf-8" },
  json: { extension: "json", mediaType: "application/json; charset=utf-8" },
};
