import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import { withSessionFile } from "../../node/session-file/session-file.ts";
import { parseLine } from "../../session/jsonl.ts";
import type { OutlineEntry } from "../../session/outline.ts";
import type { SessionFold } from "../../session/session-fold.ts";
import type { TranscriptItem } from "../../session/transcript.ts";
import { withoutCycles } from "../../session/tree.ts";
import { codexFormat } from "./codex.ts";
import { told } from "./record.ts";

// Compares the home in ../shared with what a correct reader finds in it, figure by figure.

const HOME = join(import.meta.dirname, "../../../../../../shared/fixtures/homes/codex");

const MOST_BYTES = 4 * 1024 * 1024;

type Figures = Record<string, unknown>;

/** Figures that one file does not tell, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "019e474b-a3c0-794e-8582-a8aabf4c1567 patchedFiles": "a moved file is found by its new name, too",
  "019f084e-a680-79d7-8d05-fda7965ed836 threadId": "an empty file is no session",
};

interface Read {
  line: JsonObject;
  entry: OutlineEntry;
  item: TranscriptItem;
}

interface Session {
  fold: SessionFold;
  path: string;
  /** Without what was copied from another thread. */
  own: Read[];
  records: Read[];
  parents: Int32Array;
}

function read(path: string): Session {
  const { fold, bytes } = withSessionFile(path, (file) => ({
    fold: file.read().fold,
    bytes: file.bytes(0, MOST_BYTES),
  }));
  const { outline } = fold;
  const records = Array.from({ length: outline.count }, (_, ordinal): Read => {
    const entry = outline.at(ordinal);
    const line = parseLine(bytes.toString("utf8", entry.offset, entry.offset + entry.length)) ?? {};
    const place = { id: entry.id, parentId: entry.parent < 0 ? null : outline.id(entry.parent), role: entry.role };
    return { line, entry, item: codexFormat.item(line, place) };
  });
  return { fold, path, records, own: records, parents: withoutCycles(outline.parents()) };
}

/** The session from the line on where its own part begins. */
function ownPart(session: Session, { copiedPrefix }: Figures): Session {
  const { ownFirstLineByTurnIdTime: first } = (copiedPrefix ?? {}) as { ownFirstLineByTurnIdTime?: number };
  if (first === undefined) return session;
  const lines = readFileSync(session.path, "utf8")
    .split("\n")
    .slice(0, first - 1);
  const from = Buffer.byteLength(lines.join("\n"));
  return { ...session, own: session.records.filter(({ entry }) => entry.offset >= from) };
}

/** How each figure is found in a session. */
const FOUND: Readonly<Record<string, (session: Session, expected: Figures) => unknown>> = {
  threadId: ({ fold }) => fold.header?.id,
  malformedLines: ({ fold }) => fold.state.malformed_lines,
  sessionMetas: ({ fold }) => fold.header?.id,
  title: (session) => {
    const { title } = session.fold.record({ path: session.path, size: 0, modifiedAt: 0 });
    return title === basename(session.path).replace(/\.jsonl(\.zst)?$/, "") ? null : title;
  },
  models: ({ fold }) => [...fold.state.models].sort(),
  cwds: ({ fold }) => fold.header?.cwd ?? null,
  startedAt: ({ fold }) => (fold.header?.timestamp == null ? null : new Date(fold.header.timestamp).toISOString()),
  userPrompts: ({ fold }) => fold.state.user_message_count,
  promptPreviews: (session, { promptPreviews }) =>
    promptsOf(session).map(({ line }, at) => {
      const { length } = squeezed((promptPreviews as string[])[at] ?? "");
      return squeezed(codexFormat.preview(line, 300)).slice(0, length);
    }),
  promptImages: (session) =>
    promptsOf(session).flatMap(({ item }) => blocksOf(item).filter(({ kind }) => kind !== "text")).length,
  livingPrompts: (session) => livingPrompts(session).length,
  livingPromptTexts: (session) => livingPrompts(session).map(({ line }) => codexFormat.preview(line, 300)),
  rolledBackTurns: ({ own }) =>
    own.flatMap(({ line }) => {
      const what = told(line);
      return what.kind === "rollback" ? [what.turns] : [];
    }),
  cannedReviewPromptEvents: ({ own }) =>
    own.filter(({ line, entry }) => told(line).kind === "prompt" && entry.role === null).length,
  assistantMessages: ({ fold }) => fold.state.assistant_message_count,
  reasoningItems: ({ own }) => own.filter(({ item }) => blocksOf(item).some(({ kind }) => kind === "thinking")).length,
  toolCalls: ({ fold }) => fold.state.tool_call_count,
  toolCallsByName: (session) => counts(callsOf(session).map(({ name }) => name)),
  toolResults: (session) => resultsOf(session).length,
  callsWithoutResult: (session) => {
    const answered = new Set(resultsOf(session).map(({ call_id }) => call_id));
    return session.own.flatMap(({ line }) => {
      const what = told(line);
      // Others have their results in themselves.
      const hasResult = what.kind !== "call" || /^(?:web_search|image_generation)_call$/.test(what.call.name);
      return hasResult || answered.has(what.call.id) ? [] : [what.call.id];
    });
  },
  resultsWithoutCall: (session) => {
    const called = new Set(callsOf(session).map(({ id }) => id));
    return resultsOf(session).flatMap(({ call_id }) => (called.has(call_id) ? [] : [call_id]));
  },
  resultsWithNonZeroExit: (session) => resultsOf(session).filter(({ is_error }) => is_error).length,
  patchedFiles: ({ own }) => {
    const files = own.flatMap(({ line, item }) => {
      const what = told(line);
      if (what.kind === "change") return Object.keys((what.changes ?? {}) as JsonObject);
      const isPatch = what.kind === "call" && what.call.patch !== null;
      if (!isPatch) return [];
      return blocksOf(item).flatMap((block) =>
        block.kind === "tool_call" && Array.isArray(block.arguments.files) ? block.arguments.files.map(String) : [],
      );
    });
    return [...new Set(files)].sort();
  },
  turnsAborted: ({ own }) => own.filter(({ item }) => item.kind === "note" && item.type === "turn_aborted").length,
  compactions: ({ own }) => own.filter(({ item }) => item.kind === "summary").length,
  usage: ({ fold: { state } }) => {
    const { input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens } = state.usage;
    return [input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens];
  },
  requests: ({ own }) => own.filter(({ item }) => item.kind === "note" && item.type === "token_count").length,
  lastRateLimits: ({ fold: { header } }) => header?.rateLimits ?? null,
  relation: ({ fold: { header } }) => [header?.relation ?? null, header?.parentSessionId ?? null],
  historyBase: ({ fold: { header } }) => header?.parentSessionId,
};

/** What is expected, in the form in which it is found. */
function wanted(name: string, { [name]: value }: Figures, all: Figures): unknown {
  switch (name) {
    case "malformedLines":
      // A last line without its end is still being written.
      return (value as unknown[]).length - Number(all.tornLastLine);
    case "sessionMetas":
      return (value as string[])[0];
    case "models":
    case "patchedFiles":
      return [...(value as string[])].sort();
    case "cwds":
      return (value as string[])[0] ?? null;
    case "promptPreviews":
      return (value as string[]).map(squeezed);
    case "title": {
      const { text } = value as { text: string | null };
      return (
        squeezed(text ?? "")
          .slice(0, 200)
          .trim() || null
      );
    }
    case "usage": {
      const { uncachedInput, cachedInput, cacheWrite, output, reasoning } = value as Record<string, number>;
      return [(uncachedInput ?? 0) - (cacheWrite ?? 0), cachedInput, cacheWrite, output, reasoning];
    }
    case "relation": {
      const { kind, parentThread } = value as Record<string, string>;
      return [kind, parentThread];
    }
    case "lastRateLimits": {
      const limits = Object.values(value as Record<string, Record<string, number> | null>).flatMap((limit) =>
        limit === null ? [] : [{ ...limit, resets_at: new Date((limit.resets_at ?? 0) * 1000).toISOString() }],
      );
      return limits.length === 0 ? null : limits;
    }
    case "historyBase":
      return (value as { threadId: string }).threadId;
    default:
      return value;
  }
}

/** Without its parent, a fork may be counted from the first turn of its own. */
function expectedOf(expected: Figures): Figures {
  const { copiedPrefix } = expected as { copiedPrefix?: { ifCutByTurnIdTime?: Figures } };
  const cut = copiedPrefix?.ifCutByTurnIdTime;
  if (cut === undefined) return { ...expected, requests: (expected.usage as Figures).requests };
  const { firstPrompt, ...figures } = cut;
  return {
    ...expected,
    requests: (figures.usage as Figures).requests,
    ...figures,
    title: { source: "first-prompt", text: firstPrompt },
    promptPreviews: [firstPrompt],
  };
}

function promptsOf({ own }: Session): Read[] {
  return own.filter(({ entry }) => entry.role === "user");
}

function blocksOf(item: TranscriptItem) {
  return item.kind === "message" || item.kind === "tool_result" ? item.blocks : [];
}

function callsOf({ own }: Session): { id: string | null; name: string }[] {
  return own.flatMap(({ item }) => blocksOf(item).flatMap((block) => (block.kind === "tool_call" ? [block] : [])));
}

function resultsOf({ own }: Session) {
  return own.flatMap(({ line, item }) => (item.kind === "tool_result" && told(line).kind === "result" ? [item] : []));
}

function livingPrompts({ records, parents }: Session): Read[] {
  const chain: Read[] = [];
  for (let at = records.length - 1; at >= 0; at = parents[at] ?? -1) {
    const found = records[at];
    if (found?.entry.role === "user") chain.unshift(found);
  }
  return chain;
}

function counts(names: string[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const name of [...names].sort()) found[name] = (found[name] ?? 0) + 1;
  return found;
}

function squeezed(said: string): string {
  return said.replace(/\s+/g, " ").trim();
}

describe.skipIf(!existsSync(HOME))("the home of Codex in ../shared", () => {
  it("has every figure that is expected of it", () => {
    const { sessions } = JSON.parse(readFileSync(join(HOME, "expected.json"), "utf8")) as {
      sessions: Record<string, Figures>;
    };
    const differing: Record<string, unknown> = {};
    const excused = new Set<string>();
    let compared = 0;
    for (const [path, all] of Object.entries(sessions)) {
      const expected = expectedOf(all);
      const session = ownPart(read(join(HOME, "home", path)), expected);
      for (const [name, find] of Object.entries(FOUND)) {
        if (expected[name] === undefined) continue;
        const want = wanted(name, expected, expected);
        if (want === undefined) continue;
        compared++;
        const raw = find(session, expected);
        const found = name === "title" ? squeezed((raw as string | null) ?? "") || null : raw;
        if (JSON.stringify(found) === JSON.stringify(want)) continue;
        const place = `${basename(path, ".jsonl").slice(28)} ${name}`;
        if (place in EXCEPTIONS) excused.add(place);
        else differing[place] = { found, want };
      }
    }
    expect(differing).toEqual({});
    expect([...excused].sort()).toEqual(Object.keys(EXCEPTIONS).sort());
    expect(compared).toBeGreaterThan(800);
  });
});
