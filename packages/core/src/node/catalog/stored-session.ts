import { checksum, decodeStored, verify } from "@sm/text-index/storage";
import type { SessionHeader } from "../../format/format.ts";
import type { JsonObject } from "../../json.ts";
import type { FoldState } from "../../session/fold-state.ts";
import type { ModelName } from "../../session/named-models.ts";
import type { RateLimit, SessionFormatName, SessionRecord, SessionRelation, Usage } from "../../session/record.ts";
import { recordOf, type SessionSummary } from "../../session/summary.ts";

/**
 * A session as the catalog stores it: columns of `files`, and the rest of its summary as JSON without names. The
 * summary is both the fold, to be resumed, and all that a record says, so that each text is stored once.
 */
export interface StoredSession {
  key: number;
  path: string;
  size: number;
  mtime: number;
  /** Not verified with the others: SQLite returns it as a number. */
  fromVault: boolean | 0 | 1;
  sessionId: string;
  format: SessionFormatName;
  project: string | null;
  summary: string;
  /** Of all the above: whoever reads a record verifies what is in both tables. */
  checksum: number;
}

/** Columns of stored sessions, and where they are. */
export const STORED_COLUMNS_SQL = `
key, path, size, mtime, from_vault AS fromVault, session_id AS sessionId, format, project, summary, summaries.checksum
FROM files JOIN summaries USING (key)`;

/** Selects stored sessions. */
export const STORED_SQL = `SELECT ${STORED_COLUMNS_SQL}`;

type VerifiedSession = Omit<StoredSession, "checksum" | "fromVault">;

/** A text as a column returns it: half of a surrogate pair, which a transcript may escape, has no UTF-8. */
export function storable(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

export function checksumOf(session: VerifiedSession): number {
  return checksum(...verifiedValues(session));
}

function verifiedValues({ key, path, size, mtime, sessionId, format, project, summary }: VerifiedSession) {
  return [key, path, size, mtime, sessionId, format, project, summary];
}

/** @throws IndexError where the row is damaged. */
export function summaryOf(session: StoredSession): SessionSummary {
  verify(session.checksum, ...verifiedValues(session));
  return decodeStored(() => decodeSummary(session));
}

/** @throws IndexError where the row is damaged. */
export function storedRecord(session: StoredSession, summary = summaryOf(session)): SessionRecord {
  const { path, size, mtime, fromVault } = session;
  return recordOf(summary, { path, size, modifiedAt: mtime, source: fromVault ? "vault" : "file" });
}

/** `0` and `1` for `false` and `true`. */
type Bit = 0 | 1;
type StoredLimit = [usedPercent: number, minutes: number | null, resetsAt: string | null];
type StoredHeader = [
  hasId: Bit,
  time: number | null,
  parentPath: string | null,
  hasTree: Bit,
  at: number,
  length: number,
  parentId: string | null,
  relation: SessionRelation | null,
  title: string | null,
  /** Left out where there are none. */
  limits?: StoredLimit[],
];
type Counts = [malformed: number, messages: number, user: number, assistant: number, toolCalls: number];
/** The last two are left out where both are 0. */
type StoredUsage = [
  input: number,
  output: number,
  read: number,
  written: number,
  total: number,
  cost: number | null,
  writtenForAnHour?: number,
  reasoning?: number,
];

type StoredUnpriced = [
  model: number,
  tier: number,
  input: number,
  output: number,
  read: number,
  written: number,
  writtenForAnHour: number,
];

/** `name` is the first, for tests that give sessions another one. */
type StoredSummary = [
  name: string | null,
  firstMessage: string | null,
  latest: [ordinal: number, isUser: Bit, text: string] | null,
  hasLastText: Bit,
  newestMessageTime: number | null,
  firstTime: number | null,
  branches: number,
  counts: Counts,
  usage: StoredUsage,
  header: StoredHeader | null,
  models: string[],
  providers: string[],
  named: [model: string | null, provider: string | null][],
  labels: Record<string, string>,
  missingParents: Record<string, number[]>,
  reader: JsonObject | null,
  /** Left out where there is none. */
  unpriced?: StoredUnpriced[],
  toldTitle?: string | null,
  ending?: [isFailure: Bit, ordinal: number, isOnBranch: Bit, message: string | null],
];

/** Encodes what {@link StoredSession} has no columns for. */
export function encodeSummary({ state, ...summary }: SessionSummary): string {
  const { header, header_line: at, latest_text: latest, usage } = state;
  const stored: StoredSummary = [
    state.name,
    state.first_message,
    latest === null ? null : [latest.ordinal, bit(latest.role === "user"), latest.text],
    bit(summary.has_last_text),
    state.newest_message_time,
    header?.timestamp === undefined || header.timestamp === null ? summary.first_time : null,
    summary.branch_count,
    [
      state.malformed_lines,
      state.message_count,
      state.user_message_count,
      state.assistant_message_count,
      state.tool_call_count,
    ],
    encodeUsage(usage),
    header === null ? null : encodeHeader(header, at),
    state.models,
    state.providers,
    state.named_models.map(({ model, provider }) => [model, provider]),
    state.labels,
    state.missing_parents,
    state.reader,
  ];
  const { told_title: told, ending } = state;
  if (state.unpriced.length > 0 || told !== null || ending !== null) {
    stored.push(
      state.unpriced.map(
        ({ model, tier, input, output, cache_read: read, cache_write: written, cache_write_1h: forAnHour }) =>
          [model, tier, input, output, read, written, forAnHour] satisfies StoredUnpriced,
      ),
    );
  }
  if (told !== null || ending !== null) stored.push(told);
  if (ending !== null) {
    stored.push([bit(ending.outcome === "failed"), ending.ordinal, bit(summary.has_ending), ending.message]);
  }
  return JSON.stringify(stored);
}

/** Decodes what {@link encodeSummary} has encoded. */
export function decodeSummary({
  summary,
  sessionId,
  format,
  project,
}: Pick<StoredSession, "summary" | "sessionId" | "format" | "project">): SessionSummary {
  // Written by `encodeSummary` of the same layout.
  const stored = JSON.parse(summary) as StoredSummary;
  const [name, firstMessage, latest, hasLastText, newest, firstTime, branches, counts, usage, header] = stored;
  const [, , , , , , , , , , models, providers, named, labels, missingParents, reader, ...rest] = stored;
  const [unpriced = [], told = null, ending = null] = rest;
  const [malformed, messages, user, assistant, toolCalls] = counts;
  const state: FoldState = {
    format,
    reader,
    header: null,
    header_line: null,
    name,
    malformed_lines: malformed,
    message_count: messages,
    user_message_count: user,
    assistant_message_count: assistant,
    tool_call_count: toolCalls,
    first_message: firstMessage,
    latest_text: null,
    ending: null,
    newest_message_time: newest,
    models,
    providers,
    named_models: named.map(([model, provider]): ModelName => ({ model, provider })),
    usage: decodeUsage(usage),
    unpriced: unpriced.map(([model, tier, input, output, cache_read, cache_write, cache_write_1h]) => ({
      ...{ model, tier },
      ...{ input, output, cache_read, cache_write, cache_write_1h },
    })),
    labels,
    missing_parents: missingParents,
    told_title: told,
  };
  if (header !== null) {
    const [hasId, timestamp, parentSessionPath, hasTree, offset, length, parentSessionId, relation, title, limits] =
      header;
    state.header = {
      id: hasId === 1 ? sessionId : null,
      timestamp,
      cwd: project,
      parentSessionPath,
      parentSessionId,
      relation,
      title,
      rateLimits:
        limits?.map(
          ([used_percent, window_minutes, resets_at]): RateLimit => ({ used_percent, window_minutes, resets_at }),
        ) ?? null,
      hasTree: hasTree === 1,
    };
    state.header_line = { offset, length };
  }
  if (latest !== null) {
    const [ordinal, isUser, text] = latest;
    state.latest_text = { ordinal, role: isUser === 1 ? "user" : "assistant", text };
  }
  if (ending !== null) {
    const [isFailure, ordinal, , message] = ending;
    state.ending = { outcome: isFailure === 1 ? "failed" : "aborted", message, ordinal };
  }
  return {
    state,
    branch_count: branches,
    first_time: firstTime,
    has_last_text: hasLastText === 1,
    has_ending: ending?.[2] === 1,
  };
}

function encodeHeader(header: SessionHeader, at: FoldState["header_line"]): StoredHeader {
  const stored: StoredHeader = [
    bit(header.id !== null),
    header.timestamp,
    header.parentSessionPath,
    bit(header.hasTree),
    at?.offset ?? 0,
    at?.length ?? 0,
    header.parentSessionId,
    header.relation,
    header.title,
  ];
  const limits = header.rateLimits?.map(
    ({ used_percent, window_minutes, resets_at }): StoredLimit => [used_percent, window_minutes, resets_at],
  );
  if (limits !== undefined) stored.push(limits);
  return stored;
}

function encodeUsage(usage: Usage): StoredUsage {
  const stored: StoredUsage = [
    usage.input_tokens,
    usage.output_tokens,
    usage.cache_read_tokens,
    usage.cache_write_tokens,
    usage.total_tokens,
    usage.cost_usd,
  ];
  const { cache_write_1h_tokens: writtenForAnHour, reasoning_tokens: reasoning } = usage;
  if (writtenForAnHour !== 0 || reasoning !== 0) stored.push(writtenForAnHour, reasoning);
  return stored;
}

function decodeUsage([
  input,
  output,
  read,
  written,
  total,
  cost,
  writtenForAnHour = 0,
  reasoning = 0,
]: StoredUsage): Usage {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: read,
    cache_write_tokens: written,
    cache_write_1h_tokens: writtenForAnHour,
    reasoning_tokens: reasoning,
    total_tokens: total,
    cost_usd: cost,
    estimated_cost_usd: null,
  };
}

function bit(value: boolean): Bit {
  return value ? 1 : 0;
}
