import { AppError } from "../../errors.ts";
import { exportHtml } from "../../export/html.ts";
import { exportJson } from "../../export/json-export.ts";
import { exportMarkdown } from "../../export/markdown.ts";
import { previewInSteps, redactTogether } from "../../export/redact.ts";
import { NO_SUBAGENTS, type Subagents } from "../../export/subagents.ts";
import { cutText } from "../../export/wording.ts";
import type { ExportFormat, ExportOptions, RedactionOptions, RedactionPreview } from "../../library.ts";
import { contextEdits } from "../../session/context-edits.ts";
import type { Usage } from "../../session/record.ts";
import { titleOfName } from "../../session/session-title.ts";
import type { RedactionCount, Transcript, TranscriptItem, TranscriptNotes } from "../../session/transcript.ts";
import {
  type TranscriptChoice,
  type TranscriptLayout,
  type TranscriptOrder,
  transcriptItem,
  transcriptLayout,
  transcriptOf,
} from "../../session/transcript-layout.ts";
import { describeFileErrors } from "../files/file-errors.ts";
import { endOf, lineOf, type OpenSession, openAgain } from "./open-session.ts";
import { withWholeOutput } from "./tool-output.ts";

/** Characters per chunk. */
const CHUNK_CHARACTERS = 64 * 1024;
/** Bytes between two entries that are read and skipped: another read call costs as much. */
const WIDEST_GAP = 4 * 1024;
/** Time slice of a preview, after which other tasks run. */
const PREVIEW_SLICE_MS = 20;

const ORDERS: Readonly<Record<ExportFormat, TranscriptOrder>> = { html: "tree", markdown: "branch", json: "file" };

/** Options with what is known of the session apart from its file: its name, notes, and what of its usage counts for it. */
type Named<Options> = Options & {
  name?: string | undefined;
  notes?: TranscriptNotes | undefined;
  usage?: Usage | undefined;
};

/** A subagent that follows the session in its export. */
export type ExportedSubagent = Named<{ path: string; id: string }>;

type WithSubagents<Options> = Named<Options> & { subagents?: ExportedSubagent[] | undefined };

export type ExportTask = WithSubagents<ExportOptions>;
export type PreviewTask = WithSubagents<RedactionOptions>;

/** UTF-8 text; the last piece of a redacted export is the list of redactions. */
export type ExportPiece = Uint8Array | RedactionCount[];

/** Result of a preview: `null` while it continues. */
export interface PreviewPiece {
  preview: RedactionPreview | null;
}

const NOTHING_FOUND: RedactionPreview = { findings: [], total: 0 };

/** A started export. `title` and `cwd` are those in the export. */
export interface SessionExport {
  title: string;
  cwd: string | null;
  pieces: AsyncGenerator<ExportPiece>;
}

/** Exports a completely parsed session. */
export function exportSession(
  session: OpenSession,
  { subagents = [], ...options }: ExportTask,
  open: (path: string) => OpenSession,
): SessionExport {
  const counted = countedTranscript(session, options, options);
  const { transcript, next } = options.redact
    ? redactTogether(counted, options, options.redact_words ?? [])
    : { transcript: counted, next: (following: Transcript) => following };
  const opened = (subagent: ExportedSubagent) =>
    next(countedTranscript(open(subagent.path), subagent, { format: options.format }));
  const text = written(transcript, options, subagents.length === 0 ? NO_SUBAGENTS : following(subagents, opened));
  return { title: transcript.title, cwd: transcript.cwd, pieces: pieces(transcript, text) };
}

function countedTranscript(
  session: OpenSession,
  { usage, ...known }: Named<object>,
  { format, leaf_id }: Pick<ExportOptions, "format" | "leaf_id">,
): Transcript {
  const transcript = transcriptIn(session, { order: ORDERS[format], leaf_id }, known);
  return usage === undefined ? transcript : { ...transcript, usage };
}

/** Opens one subagent after another, each when the one before is written. */
function following(
  subagents: readonly ExportedSubagent[],
  open: (subagent: ExportedSubagent) => Transcript,
): Subagents {
  const numbers = new Map<string, number>();
  for (const [place, { id, path }] of subagents.entries()) {
    if (!numbers.has(id)) numbers.set(id, place + 1);
    numbers.set(path, place + 1);
  }
  return {
    numbers,
    async *transcripts() {
      for (const subagent of subagents) yield await readable(subagent.path, () => open(subagent));
    },
  };
}

/** `null` for a session that is gone, or that may not be read. */
async function readable(path: string, open: () => Transcript): Promise<Transcript | null> {
  try {
    return await describeFileErrors("read", path, open);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Finds redactions in a session or in one of its branches, in time slices. */
export async function* previewSession(
  session: OpenSession,
  { subagents = [], ...options }: PreviewTask,
  open: (path: string) => OpenSession,
): AsyncGenerator<PreviewPiece> {
  const transcript = transcriptIn(session, { order: "tree", leaf_id: options.leaf_id }, options);
  const opened = (subagent: ExportedSubagent) =>
    transcriptIn(open(subagent.path), { order: "tree", leaf_id: undefined }, subagent);
  const steps = previewInSteps(transcript, options, following(subagents, opened), options.redact_words ?? []);
  try {
    let start = performance.now();
    for (;;) {
      const { done, value } = await steps.next();
      if (done === true) {
        yield { preview: value };
        return;
      }
      if (performance.now() - start < PREVIEW_SLICE_MS) continue;
      yield { preview: null };
      start = performance.now();
    }
  } finally {
    // Closes the file.
    await steps.return(NOTHING_FOUND);
  }
}

function transcriptIn(session: OpenSession, choice: TranscriptChoice, { name, notes }: Named<object>): Transcript {
  const layout = transcriptLayout(session, choice);
  const stored = transcriptOf(session, layout, itemsOf(session, layout));
  const transcript = { ...stored, notes, labels: withBookmarks(stored.labels, notes) };
  return name === undefined ? transcript : { ...transcript, name, title: titleOfName(name) || transcript.title };
}

function withBookmarks(labels: Transcript["labels"], notes: TranscriptNotes | undefined): Transcript["labels"] {
  if (notes === undefined || notes.bookmarks.size === 0) return labels;
  // The label of the agent says more.
  return { ...Object.fromEntries([...notes.bookmarks].map((id) => [id, ""])), ...labels };
}

function written(transcript: Transcript, options: ExportOptions, subagents: Subagents): AsyncGenerator<string> {
  switch (options.format) {
    case "html":
      return exportHtml(transcript, options, subagents);
    case "markdown":
      return exportMarkdown(transcript, options, subagents);
    case "json":
      return exportJson(transcript, options, subagents);
  }
}

async function* pieces(transcript: Transcript, text: AsyncIterable<string>): AsyncGenerator<ExportPiece> {
  const encoder = new TextEncoder();
  let waiting: string[] = [];
  let characters = 0;
  for await (const piece of text) {
    waiting.push(piece);
    characters += piece.length;
    if (characters < CHUNK_CHARACTERS) continue;
    yield encoder.encode(waiting.join(""));
    waiting = [];
    characters = 0;
  }
  if (characters > 0) yield encoder.encode(waiting.join(""));
  if (transcript.redactions !== null) yield transcript.redactions();
}

/** The file stays open until the last item is read or the generator is closed. */
function* itemsOf(session: OpenSession, layout: TranscriptLayout): Generator<TranscriptItem> {
  const { ordinals } = layout;
  const file = openAgain(session.source.path);
  try {
    const lineAt = (ordinal: number) => lineOf(session, file, ordinal, endOf(session.fold.outline, ordinal), cutText);
    const editOf = contextEdits(session, layout, lineAt);
    let stretch = { last: -1, end: 0 };
    for (let place = 0; place < ordinals.length; place++) {
      if (place > stretch.last) stretch = stretchFrom(session, ordinals, place);
      const ordinal = ordinals[place] ?? -1;
      const line = lineOf(session, file, ordinal, stretch.end, cutText);
      yield withWholeOutput(session, transcriptItem(session, ordinal, line, editOf(ordinal)));
    }
  } finally {
    file.close();
  }
}

/** Number of consecutive entries that are also consecutive in the file: across branches, a reader jumps. */
function stretchFrom({ fold: { outline } }: OpenSession, ordinals: Int32Array, first: number) {
  let last = first;
  let end = endOf(outline, ordinals[first] ?? -1);
  for (let place = first + 1; place < ordinals.length; place++) {
    const ordinal = ordinals[place] ?? -1;
    const { offset } = outline.at(ordinal);
    if (offset < end || offset - end > WIDEST_GAP) break;
    last = place;
    end = endOf(outline, ordinal);
  }
  return { last, end };
}
