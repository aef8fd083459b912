import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionRecord } from "../../session/record.ts";
import { schemaProblems } from "./json-schema.fixture.ts";
import { branchOf, EXPORT, scanAll, searchFor, TestHome, treeOf, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";

const FIXTURES = join(import.meta.dirname, "../../../../../../shared/fixtures/pi");

interface Line {
  type?: string;
  id?: string;
  name?: string;
  cwd?: string;
  timestamp?: string;
  parentSession?: string;
  branchedFrom?: string;
  message?: {
    role?: string;
    content?: string | { type?: string }[] | null;
    model?: string;
    provider?: string;
    usage?: RecordedUsage;
  };
  usage?: RecordedUsage;
}

type RecordedUsage = Partial<
  Record<"input" | "output" | "cacheRead" | "cacheWrite" | "cacheWrite1h" | "reasoning", number>
> & {
  cost?: { total: number };
};

/** Counts a session in the plainest way: all lines in memory, no tree. */
function recount(text: string): Partial<SessionRecord> & { malformed_lines: number } {
  let malformed = 0;
  const parsed = text.split("\n").flatMap((line): Line[] => {
    if (line.trim() === "") return [];
    try {
      return [JSON.parse(line) as Line];
    } catch {
      malformed++;
      return [];
    }
  });
  const header = parsed.find((line) => line.type === "session");
  const seen = new Set<string>();
  const entries = parsed.filter((line) => {
    if (line.type === "session" || (line.id !== undefined && seen.has(line.id))) return false;
    if (line.id !== undefined) seen.add(line.id);
    return true;
  });
  const messages = entries.flatMap((line) => (line.type === "message" && line.message ? [line.message] : []));
  const of = (role: string) => messages.filter((message) => message.role === role);
  const calls = of("assistant").flatMap(({ content }) =>
    Array.isArray(content) ? content.filter((block) => block.type === "toolCall") : [],
  );
  const usages = [...of("assistant"), ...of("toolResult"), ...entries].flatMap(({ usage }) => usage ?? []);
  const sum = (value: (usage: RecordedUsage) => number | undefined) =>
    usages.reduce((total, usage) => total + (value(usage) ?? 0), 0);
  const parts = ({ input = 0, output = 0, cacheRead = 0, cacheWrite = 0 }: RecordedUsage) =>
    input + output + cacheRead + cacheWrite;
  const distinct = (values: (string | undefined)[]) => [...new Set(values.filter((one) => one !== undefined))];
  return {
    id: header?.id ?? "",
    cwd: header?.cwd ?? null,
    name: entries.findLast((line) => line.type === "session_info")?.name ?? null,
    parent_session_path: header?.parentSession ?? header?.branchedFrom ?? null,
    size_bytes: Buffer.byteLength(text),
    malformed_lines: malformed,
    message_count: messages.length,
    user_message_count: of("user").length,
    assistant_message_count: of("assistant").length,
    tool_call_count: calls.length,
    models: distinct(of("assistant").map((message) => message.model)),
    providers: distinct(of("assistant").map((message) => message.provider)),
    usage: {
      input_tokens: sum((usage) => usage.input),
      output_tokens: sum((usage) => usage.output),
      cache_read_tokens: sum((usage) => usage.cacheRead),
      cache_write_tokens: sum((usage) => usage.cacheWrite),
      cache_write_1h_tokens: sum((usage) => usage.cacheWrite1h),
      reasoning_tokens: sum((usage) => usage.reasoning),
      total_tokens: sum(parts),
      cost_usd: usages.some((usage) => usage.cost !== undefined) ? sum((usage) => usage.cost?.total) : null,
      estimated_cost_usd: null,
    },
  };
}

const names = (await readdir(FIXTURES).catch(() => [])).filter((name) => name.endsWith(".jsonl"));
if (names.length === 0) console.warn(`${FIXTURES} is absent: real sessions are not tried`);

describe.skipIf(names.length === 0)("a real session", () => {
  let home: TestHome;
  let library: Library;
  let records: Map<string, SessionRecord>;
  beforeAll(async () => {
    home = await TestHome.create();
    for (const name of names) await home.write(name, await readFile(join(FIXTURES, name)));
    library = await home.open();
    await untilIndexed(library);
    records = new Map((await scanAll(library)).map((record) => [record.path.slice(home.sessions.length + 1), record]));
  });
  afterAll(() => home[Symbol.asyncDispose]());

  it.each(names)("%s is counted as by hand", async (name) => {
    const expected = recount(await readFile(join(FIXTURES, name), "utf8"));
    const record = records.get(name);
    const { usage, ...rest } = expected;
    expect(record).toMatchObject(rest);
    const { cost_usd, ...tokens } = usage ?? { cost_usd: null };
    expect(record?.usage).toMatchObject(tokens);
    if (typeof cost_usd === "number") expect(record?.usage.cost_usd).toBeCloseTo(cost_usd, 9);
    else expect(record?.usage.cost_usd).toBeNull();
  });

  it.each(names)("%s has the branch that the agent sees", async (name) => {
    const path = join(home.sessions, name);
    const copy = await home.write(`copies/${name}`, await readFile(join(FIXTURES, name)));
    const agent = SessionManager.open(copy);
    const { labels: shown } = await library.readEntries({ path });
    const entries = await branchOf(library, path);
    const branch = agent.getBranch();
    expect(entries.map((entry) => entry.type)).toEqual(branch.map((entry) => entry.type));
    expect(entries.map((entry) => entry.timestamp)).toEqual(branch.map((entry) => entry.timestamp));
    expect(await treeOf(library, path)).toHaveLength(new Set(agent.getEntries().map((entry) => entry.id)).size);
    const labels = agent.getEntries().flatMap(({ id }) => {
      const label = agent.getLabel(id);
      return label === undefined ? [] : [[id, label]];
    });
    expect(Object.entries(shown).sort()).toEqual(labels.sort());
    expect(records.get(name)?.name ?? undefined).toBe(agent.getSessionName());
  });

  it.each(names)("%s is exported as JSON as its schema says", async (name) => {
    const path = join(home.sessions, name);
    for (const redact of [false, true]) {
      const { content } = await library.export({ ...EXPORT, path, format: "json", redact });
      expect(schemaProblems(content)).toEqual([]);
      expect(JSON.parse(content).messages).toHaveLength((await treeOf(library, path)).length);
    }
  });

  it("with branches has them all", () => {
    for (const name of names.filter((one) => one.startsWith("v3-rich"))) {
      expect(records.get(name)).toMatchObject({ branch_count: 4 });
    }
    expect(records.get("v1-large-session.jsonl")).toMatchObject({ branch_count: 1 });
  });

  it("is found by the words of its first message", async () => {
    for (const record of records.values()) {
      const [word] = /[a-z]{4,}/i.exec(record.first_message ?? "") ?? [];
      if (word === undefined) continue;
      const { hits } = await library.search(searchFor(word, { limit: 200, role: "user" }));
      expect(hits.map((hit) => hit.session_path)).toContain(record.path);
    }
  });
});
