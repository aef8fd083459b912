import type { ContextEdit, Transcript, TranscriptItem } from "../../session/transcript.ts";
import { type Subagents, subagentAnchor, UNREADABLE_SUBAGENT } from "../subagents.ts";
import { anchorOf } from "./anchor.ts";
import type { Contents } from "./contents.ts";
import { type EntryOptions, entryFragments, ownNoteHtml } from "./entries.ts";
import { lineHtml } from "./line-html.ts";
import { factList } from "./masthead.ts";
import type { Parts } from "./parts.ts";
import { iteratorOf, take } from "./take-items.ts";

/** Renders the subagents behind the session, a section for each, with all of its branches in sequence. */
export async function* subagentSections(
  subagents: Subagents,
  options: EntryOptions,
  { contents, parts }: { contents: Contents; parts: Parts },
): AsyncGenerator<string> {
  let number = 0;
  for await (const transcript of subagents.transcripts()) {
    number++;
    const anchor = subagentAnchor(number);
    const title = transcript === null ? "" : (transcript.name ?? transcript.title);
    contents.addSubagent({ number, title });
    yield `<section class="subagent" id="${anchor}">\n<h2>Subagent ${number}${title === "" ? "" : `: <bdi>${lineHtml(title)}</bdi>`}</h2>\n`;
    if (transcript === null) yield `<p class="empty">${UNREADABLE_SUBAGENT}</p>\n`;
    else {
      yield factList(transcript);
      const note = transcript.notes?.session ?? null;
      if (note !== null) yield `${ownNoteHtml(note, options.budget)}\n`;
      yield* branches(withOwnIds(transcript, `${anchor} `), options, parts);
    }
    yield "</section>\n";
  }
}

async function* branches(transcript: Transcript, options: EntryOptions, parts: Parts): AsyncGenerator<string> {
  const entryOptions = { ...options, labels: transcript.labels, notes: transcript.notes?.entries };
  const items = iteratorOf(transcript.items);
  const lastAnchors = new Map<number, string>();
  const runs = transcript.runs ?? [{ parent: -1, count: Number.POSITIVE_INFINITY, shown: true }];
  try {
    for (const [run, { parent, count, shown }] of runs.entries()) {
      if (!shown) {
        const origin = lastAnchors.get(parent);
        const from = origin === undefined ? "" : `, continued from <a href="#${origin}">an earlier entry</a>`;
        yield `<p class="branch">Another branch${from}</p>\n`;
      }
      for await (const { id, html } of entryFragments(take(items, count), entryOptions)) {
        lastAnchors.set(run, anchorOf(id));
        yield* parts.add(html);
      }
      yield* parts.end();
    }
  } finally {
    await items.return?.();
  }
}

/** Entries of two sessions may have the same ID, but not two elements of a page. */
function withOwnIds(transcript: Transcript, prefix: string): Transcript {
  const { items, notes } = transcript;
  const labels = Object.entries(transcript.labels).map(([id, label]) => [prefix + id, label]);
  return {
    ...transcript,
    labels: Object.fromEntries(labels),
    notes: notes === undefined ? undefined : { ...notes, entries: withPrefix(notes.entries, prefix) },
    items: {
      async *[Symbol.asyncIterator]() {
        for await (const item of items) yield withOwnId(item, prefix);
      },
    },
  };
}

function withPrefix(entries: ReadonlyMap<string, string>, prefix: string): Map<string, string> {
  return new Map([...entries].map(([id, text]) => [prefix + id, text]));
}

function withOwnId<Item extends TranscriptItem>(item: Item, prefix: string): Item {
  const own = { ...item, id: prefix + item.id };
  if (own.kind === "note" && typeof own.value.targetId === "string") {
    own.value = { ...own.value, targetId: prefix + own.value.targetId };
  }
  if (own.kind === "message" || own.kind === "tool_result") own.context_edit = editOf(own.context_edit, prefix);
  return own;
}

function editOf(edit: ContextEdit | null, prefix: string): ContextEdit | null {
  return edit === null ? null : { ...edit, entry_id: prefix + edit.entry_id };
}
