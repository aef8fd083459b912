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
import type { RedactionCount, TranscriptNotes } from "../../session/transcript.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import type { ExportedSubagent } from "../reading/export-session.ts";
import type { ArchivePart } from "../reading/export-zip.ts";
import { bytesOf, type FileToRead, pulled } from "../reading/read-ahead.ts";
import { unpackedPath } from "../session-file/session-file-name.ts";
import type { CurrentSessions } from "./current-sessions.ts";
import type { SessionDirectories } from "./directories.ts";

/** Limit of an export in one response, which is held in memory; downloads have no limit. */
const MAX_EXPORT_BYTES = 32 * 1024 * 1024;

/** In an archive, below one session. */
const MOST_SUBAGENTS = 10_000;

const NONE: ReadonlyMap<string, string> = new Map();

export interface LibraryExportsOptions {
  index: Pick<OpenIndex, "atLength" | "stopStream" | "list">;
  directories: Pick<SessionDirectories, "sessionPath" | "sessionPaths" | "isPlace">;
  log: LibraryLog;
  current: CurrentSessions;
  /** Names that sessions have apart from their files, by path. */
  names(): Promise<ReadonlyMap<string, string>>;
  notes(path: string): Promise<TranscriptNotes>;
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
    const own = await this.#options.directories.sessionPath(options.path);
    const { directories } = this.#options;
    const file = {
      path: own,
      isAllowed: (real: string) => directories.isPlace(own, real),
      kept: keptBytes(this.#options.index, own, requester),
      ...{ offset, length },
    };
    const chunks = bytesOf(file, { signal: requester?.signal });
    return { file_name: basename(unpackedPath(own)), media_type: "application/x-ndjson", chunks };
  }

  async #startExport(options: ExportOptions, requester?: Requester): Promise<StartedExport> {
    const path = await this.#options.current.path(options.path);
    const { index } = this.#options;
    const names = await this.#options.names();
    const usage = (await index.list((listing) => listing.one(path)))?.usage;
    const notes = await this.#notesFor(options, path);
    const { include_subagents, ...manner } = options;
    const subagents = include_subagents === true ? await this.#subagents(options, path, names) : undefined;
    const task = { ...manner, redact: isRedacted(options), path, name: names.get(path), notes, usage, subagents };
    const { stream, title, cwd } = await index.atLength("exportStart", task, requester);
    let redactions: RedactionCount[] | null = null;
    const next = async (): Promise<Uint8Array | null> => {
      const piece = await index.atLength("exportNext", { stream }, requester);
      if (piece === null || piece instanceof Uint8Array) return piece;
      redactions = piece;
      return next();
    };
    const { extension, mediaType } = EXPORT_FILES[options.format];
    return {
      file_name: exportFileName(title, extension),
      media_type: mediaType,
      chunks: pulled(next, () => index.stopStream("exportStop", stream), requester?.signal),
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
    const { index, current, directories } = this.#options;
    const below = await index.list((listing) => listing.subagentsBelow(path, MOST_SUBAGENTS));
    const found: ExportedSubagent[] = [];
    for (const subagent of below) {
      try {
        const { id, usage } = await current.record(await directories.sessionPath(subagent.path));
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
    const path = await this.#options.current.path(options.path);
    const { index } = this.#options;
    const names = await this.#options.names();
    const name = names.get(path);
    const notes = await this.#notesFor(options, path);
    const { include_subagents, ...manner } = options;
    const subagents = include_subagents === true ? await this.#subagents(options, path, names) : undefined;
    const { stream } = await index.atLength("previewStart", { ...manner, path, name, notes, subagents }, requester);
    const next = () => index.atLength("previewNext", { stream }, requester);
    const pieces = pulled(next, () => index.stopStream("previewStop", stream), requester?.signal);
    for await (const { preview } of pieces) if (preview !== null) return preview;
    throw new Error("A preview ended without a result.");
  }

  async archive(
    { paths, include_subagents, ...options }: ArchiveOptions,
    requester?: Requester,
  ): Promise<ExportStream> {
    if (options.format === "jsonl") refuseToChange(options);
    const own = await this.#options.directories.sessionPaths(paths);
    const known = await this.#options.index.list((listing) => listing.existing(own));
    for (const path of own) if (!known.has(path)) await this.#options.current.record(path);
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
      const below = await this.#options.index.list((listing) => listing.subagentsBelow(path, MOST_SUBAGENTS));
      for (const subagent of below) parents.set(subagent.path, subagent.parent);
      trees.push([path, ...below.map((subagent) => subagent.path)]);
    }
    // What was asked for beside its parent is in the parent's folder.
    return { all: [...new Set(trees.filter(([root = ""]) => !parents.has(root)).flat())], parents };
  }

  async #archivePart({ format, ...options }: ExportStreamOptions, requester?: Requester): Promise<ArchivePart> {
    const record = await this.#options.current.record(options.path);
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

/** Reads what the vault has of a session whose file is gone. */
export function keptBytes(
  index: Pick<OpenIndex, "atLength">,
  path: string,
  requester?: Requester,
): NonNullable<FileToRead["kept"]> {
  return (offset, length) => index.atLength("keptBytes", { path, offset, length }, requester);
}
