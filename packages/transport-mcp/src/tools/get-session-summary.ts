import {
  cutToJson,
  fittingText,
  readReference,
  referenceOf,
  type SessionRecord,
  SessionWork,
  type Texts,
  textsOf,
} from "@sm/core";
import { type Answer, type AnswerItem, Budget, counted, joinAnswer, shortLine } from "../answer.ts";
import type { McpContext } from "../context.ts";
import { type Item, SessionPages } from "../session-pages.ts";
import { describeSession, findSession } from "../sessions.ts";
import { budgetOf, maxChars, tool } from "../tool.ts";

/** Entries that are looked through from the end; a session of more is told of by its newest ones. */
const MOST_ENTRIES = 1_000;
/** First prompt, outcome, changed files and failed calls, which share the room. */
const MOST_PARTS = 4;

export const getSessionSummary = tool({
  name: "get_session_summary",
  title: "Summary of a session",
  description: "First prompt, outcome, changed files, failed commands, models and cost of one session. Reads no model.",
  inputSchema: {
    type: "object",
    properties: { ref: { type: "string" }, max_chars: maxChars },
    required: ["ref"],
  },
  async run(args, context) {
    return summarize(await findSession(readReference(args.ref), context), context, budgetOf(args));
  },
});

async function summarize(record: SessionRecord, context: McpContext, most: number): Promise<Answer> {
  const texts = textsOf(context, record.cwd);
  const pages = new SessionPages(record.path, context);
  const work = new SessionWork(texts);
  for await (const item of pages.before(null, MOST_ENTRIES)) work.add(item);
  const { text, data } = describeSession(record, texts);
  const models = record.models.slice(0, 5).map((model) => shortLine(model, 60));
  const looked = work.entries >= MOST_ENTRIES ? `Looked through the newest ${MOST_ENTRIES} entries only.` : "";
  const facts = [`Models: ${models.join(", ") || "none"}`, looked].filter((line) => line !== "");
  const beginning: Answer = {
    text: `${text}\n${facts.join("\n")}`,
    data: { session: data, models, is_complete: looked === "" },
  };
  const budget = new Budget(most, beginning);
  const items: AnswerItem[] = [];
  const leftOut: string[] = [];
  for (const part of partsOf(record, work, texts, Math.floor(budget.left / MOST_PARTS))) {
    if (budget.take(part)) items.push(part);
    else leftOut.push(part.data.part);
  }
  const remarks = [
    work.failed.length + work.changed.size === 0 ? "No changed files and no failed calls were found." : "",
    leftOut.length === 0 ? "" : `Left out: ${leftOut.join(", ").replaceAll("_", " ")}; raise max_chars.`,
  ];
  return joinAnswer(beginning, "parts", items, {
    text: remarks.filter((remark) => remark !== "").join(" "),
    data: leftOut.length === 0 ? {} : { left_out: leftOut },
  });
}

/** One of the parts that are told of a session. */
interface Part extends AnswerItem {
  data: AnswerItem["data"] & { part: string };
}

/** @param most of each part. */
function* partsOf(record: SessionRecord, work: SessionWork, texts: Texts, most: number): Generator<Part> {
  const limit = Math.max(200, most - 150);
  const prompt = work.firstPrompt === null ? null : said("First prompt", work.firstPrompt, texts, limit);
  const recorded = record.first_message;
  if (prompt !== null && work.entries < MOST_ENTRIES) yield prompt;
  else if (recorded !== null) {
    const text = cutToJson(texts.beginning(recorded), limit);
    yield { text: `First prompt:\n${text}`, data: { part: "first_prompt", text } };
  }
  if (work.outcome !== null) yield said("Outcome", work.outcome, texts, limit);
  if (work.changed.size > 0) yield changedFiles(work, texts, limit);
  if (work.failed.length > 0) yield failedCalls(work, record, limit);
}

function said(name: string, item: Item, texts: Texts, limit: number): Part {
  const { text = "", left = 0 } = fittingText(item, texts, { limit }) ?? {};
  const rest = left > 0 ? `\n[… ${counted(left, "more character")} …]` : "";
  return {
    text: `${name} (#${referenceOf(item.id)}):\n${text}${rest}`,
    data: {
      part: name.toLowerCase().replace(" ", "_"),
      entry_id: item.id,
      text,
      ...(left > 0 && { characters_left_out: left }),
    },
  };
}

function changedFiles({ changed }: SessionWork, texts: Texts, limit: number): Part {
  const files: { path: string; calls: number }[] = [];
  let length = 0;
  for (const [path, { calls }] of changed) {
    const shown = shortLine(texts.whole(path.slice(0, 1_000)), 300);
    length += JSON.stringify(shown).length + 30;
    if (length > limit) break;
    files.push({ path: shown, calls });
  }
  const left = changed.size - files.length;
  const lines = files.map(({ path, calls }) => `- ${path}${calls > 1 ? ` (${calls}×)` : ""}`);
  if (left > 0) lines.push(`- and ${counted(left, "more file")}`);
  return {
    text: `Changed files (${changed.size}), the last one first:\n${lines.join("\n")}`,
    data: { part: "changed_files", files, left_out: left },
  };
}

function failedCalls({ failed, failedCount }: SessionWork, { id }: SessionRecord, limit: number): Part {
  const calls: { ref: string; call: string; error: string }[] = [];
  let length = 0;
  for (const { entryId, call, error } of failed) {
    const failure = { ref: referenceOf(id, entryId), call, error };
    length += JSON.stringify(failure).length + 10;
    if (length > limit) break;
    calls.push(failure);
  }
  const left = failedCount - calls.length;
  const lines = calls.map(({ ref, call, error }) => `- ${ref} ${call} → ${error}`);
  if (left > 0) lines.push(`- and ${counted(left, "older failure")}`);
  return {
    text: `Failed calls (${failedCount}), the last one first:\n${lines.join("\n")}`,
    data: { part: "failed_calls", calls, left_out: left },
  };
}
