import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Random } from "../corpus/random.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const MODEL = "claude-sonnet-4-5-20250929";
const SMALL_MODEL = "claude-haiku-4-5-20251001";

/** What a record says besides where and when. */
type Told = Record<string, unknown>;

interface Delegated {
  title: string;
  question: string;
  answer: string;
  /** Agents that the session starts. */
  agents: { type: string; task: string; asked: string; found: string }[];
}

const WORK: readonly Delegated[] = [
  {
    title: "Which tests are slow, and why",
    question: "Which of our tests are slow, and why? Let agents look at the unit tests and at the browser tests.",
    answer:
      "Two causes explain almost all of it:\n\n1. `queue.test.ts` waits for real timers: 41 s of 52 s.\n2. Each browser test starts its own browser.\n\nFake timers and one browser for all tests would bring the run from 94 s to about 20 s.",
    agents: [
      {
        type: "Explore",
        task: "Find slow unit tests",
        asked: "Run the unit tests with their durations. Name the slowest ones, and what they wait for.",
        found: "`queue.test.ts` takes 41 s: it waits for real timers in 12 cases. All others together take 11 s.",
      },
      {
        type: "Explore",
        task: "Find slow browser tests",
        asked: "Look at how the browser tests start, and what is done again for each of them.",
        found: "Each of the 23 files starts a browser of its own (1.6 s) and signs in again (0.3 s).",
      },
    ],
  },
  {
    title: "Plan the import of calendars",
    question: "Make a plan for importing calendars. What do we have already?",
    answer: "We have a parser for dates with time zones and nothing for repetitions. I suggest three steps.",
    agents: [
      {
        type: "Plan",
        task: "Compare calendar formats",
        asked: "Compare iCalendar and jCalendar for our import.",
        found: "iCalendar is what all exports offer; jCalendar only adds structure.",
      },
    ],
  },
  {
    title: "Review the change of the rate limiter",
    question: "Review the last commit.",
    answer: "The change is right. One remark: the window is never shortened when the clock goes back.",
    agents: [],
  },
];

const OLD: readonly [title: string, question: string][] = [
  ["Why uploads stall behind the proxy", "Uploads stall behind the proxy of the office. Why?"],
  ["Name the steps of a deployment", "Write down the steps of a deployment as they are, not as they should be."],
  ["Compare three image formats", "Compare three image formats for thumbnails: size, speed, support."],
];

/** Writes some sessions of Claude Code below a home of it; gives the path of one that has started agents. */
export function writeClaudeHome(home: string, project: string, now: number): string {
  const random = new Random(11);
  const folder = join(home, "projects", project.replace(/[^A-Za-z0-9-]/g, "-"));
  const paths = WORK.map((work, place) => {
    const id = uuid(random);
    const path = join(folder, `${id}.jsonl`);
    const common = { cwd: project, sessionId: id, version: "2.1.230", gitBranch: "main", userType: "external" };
    const startedAt = now - (place === 0 ? 25 * MINUTE : place * 5 * HOUR);
    const records: Told[] = [
      { type: "user", message: { role: "user", content: work.question }, promptSource: "typed" },
    ];
    const [first = [], results = []] = [
      work.agents.map(callOf),
      work.agents.map((agent, at) => resultOf(agent, at, id)),
    ];
    if (first.length > 0) {
      const intro = { type: "text", text: "I start agents that look at it at the same time." };
      records.push(...answer(`msg_${place}_1`, [intro, ...first], MODEL, 5_000), ...results);
    }
    records.push(...answer(`msg_${place}_2`, [{ type: "text", text: work.answer }], MODEL, 9_000));
    const lines = chained(records, { ...common, isSidechain: false }, startedAt, random);
    write(path, [...lines, { type: "ai-title", aiTitle: work.title, sessionId: id }]);
    work.agents.forEach(({ asked, found }, at) => {
      const own: Told[] = [
        { type: "user", message: { role: "user", content: asked } },
        ...answer(`msg_${place}_a${at}`, [{ type: "text", text: found }], SMALL_MODEL, 40_000),
      ];
      const agentId = agentIdOf(id, at);
      const told = chained(own, { ...common, isSidechain: true, agentId }, startedAt + MINUTE, random);
      write(join(folder, id, "subagents", `agent-${agentId}.jsonl`), told);
    });
    return path;
  });
  writeOldSessions(folder, project, now, random);
  return paths[0] ?? "";
}

/** Sessions that Claude Code deletes within a week. */
function writeOldSessions(folder: string, project: string, now: number, random: Random): void {
  OLD.forEach(([title, question], place) => {
    const id = uuid(random);
    const common = { cwd: project, sessionId: id, version: "2.1.230", gitBranch: "main", userType: "external" };
    const written = now - (29 - 2 * place) * DAY;
    const records: Told[] = [
      { type: "user", message: { role: "user", content: question }, promptSource: "typed" },
      ...answer(`msg_old_${place}`, [{ type: "text", text: "Done." }], MODEL, 9_000),
    ];
    const path = join(folder, `${id}.jsonl`);
    const lines = chained(records, { ...common, isSidechain: false }, written - MINUTE, random);
    write(path, [...lines, { type: "ai-title", aiTitle: title, sessionId: id }]);
    utimesSync(path, written / 1000, written / 1000);
  });
}

function agentIdOf(id: string, place: number): string {
  return `a${id.replaceAll("-", "").slice(place, place + 16)}`;
}

function callOf({ type, task, asked }: Delegated["agents"][number], place: number): Told {
  return {
    type: "tool_use",
    id: `toolu_${place}`,
    name: "Agent",
    input: { description: task, prompt: asked, subagent_type: type },
  };
}

function resultOf({ type, asked, found }: Delegated["agents"][number], place: number, id: string): Told {
  const content = [{ type: "tool_result", tool_use_id: `toolu_${place}`, content: [{ type: "text", text: found }] }];
  const toolUseResult = { status: "completed", prompt: asked, agentId: agentIdOf(id, place), agentType: type };
  return { type: "user", message: { role: "user", content }, toolUseResult };
}

/** An answer is a record for each of its blocks; the last one has all of its usage. */
function answer(id: string, blocks: Told[], model: string, read: number): Told[] {
  return blocks.map((block, place) => {
    const isLast = place === blocks.length - 1;
    const usage = {
      input_tokens: 12,
      cache_creation_input_tokens: 2_400,
      cache_read_input_tokens: read,
      output_tokens: isLast ? 640 : 1,
    };
    const message = { model, id, type: "message", role: "assistant", content: [block], usage, stop_reason: null };
    return { type: "assistant", message, requestId: `req_${id}` };
  });
}

/** Records of which each names the one before as its parent, some seconds apart. */
function chained(records: readonly Told[], common: Told, startedAt: number, random: Random): Told[] {
  let parentUuid: string | null = null;
  return records.map((record, place) => {
    const own = uuid(random);
    const timestamp = new Date(startedAt + place * 20_000).toISOString();
    const line = { parentUuid, ...common, ...record, uuid: own, timestamp };
    parentUuid = own;
    return line;
  });
}

function uuid(random: Random): string {
  return `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-8${random.hex(3)}-${random.hex(12)}`;
}

function write(path: string, lines: readonly Told[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
