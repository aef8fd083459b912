import type { Corpus } from "../corpus/corpus.ts";
import { rareWord } from "../corpus/rare-word.ts";
import { COMMON_WORDS } from "../corpus/words.ts";
import { median, percentile } from "../measure/percentile.ts";
import { residentMemory } from "../measure/process-tree.ts";
import type { Service } from "../measure/service.ts";
import { MEMORY_QUESTIONS, type MemoryQuestion } from "../relevance/questions.ts";
import { writeRelevanceCorpus } from "../relevance/relevance-corpus.ts";
import { rankOf } from "../relevance/score.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage } from "./bench.ts";

/** Sessions of an answer that a model is sure to read. */
const TOP = 3;
const SEARCHES = 1_000;
const READINGS = 300;
const HEADERS = { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25" };

/** What an answer of a tool has for the bench. */
interface ToolAnswer {
  text: string;
  sessions: { session: string; hits: { ref: string }[] }[];
}

/** Whether agents find what was done before by asking for it in their words, and what their questions cost. */
export async function memory(stage: Stage): Promise<BenchRow[]> {
  return [...(await reach(stage)), ...(await costs(stage))];
}

async function reach(stage: Stage): Promise<BenchRow[]> {
  const { agentHome } = writeRelevanceCorpus(stage.newDirectory(), Date.now());
  const answers = await stage.withService(
    stage.newDirectory(),
    async (service) => {
      await service.ready();
      const given: { asked: MemoryQuestion; found: string[]; characters: number }[] = [];
      for (const asked of MEMORY_QUESTIONS) {
        const { text, sessions } = await callTool(service, "search_past_work", { query: asked.question });
        given.push({ asked, found: sessions.map(({ session }) => session), characters: text.length });
      }
      return given;
    },
    agentHome,
  );
  const reached = answers.filter(({ asked: { kind, question, wanted }, found }) => {
    const rank = rankOf({ found, wanted });
    if (rank !== null && rank <= TOP) return true;
    const where = rank === null ? "not found" : `at ${rank}`;
    process.stderr.write(`${kind}: ${question}\n  wanted ${wanted[0]}: ${where}, below ${found.slice(0, TOP)}\n`);
    return false;
  });
  const characters = answers.reduce((sum, answer) => sum + answer.characters, 0);
  const what = `${answers.length} questions of agents`;
  return [
    judge({
      what: `${what}, a right session among the first ${TOP}`,
      measured: (100 * reached.length) / answers.length,
      unit: "%",
      atLeast: 85,
    }),
    judge({ what: `${what}, mean length of an answer`, measured: characters / answers.length, unit: "characters" }),
  ];
}

async function costs(stage: Stage): Promise<BenchRow[]> {
  const { corpus } = stage;
  const { stateDirectory } = await stage.coldIndex();
  return stage.withService(stateDirectory, async (service) => {
    await service.ready();
    // Loads the protocol, which the first client does.
    await callTool(service, "search_past_work", { query: "warm" });
    const { pid } = service.process;
    const references = new Set<string>();
    const searching: number[] = [];
    const searchAll = async () => {
      for (let n = 0; n < SEARCHES; n++) {
        const start = performance.now();
        const { sessions } = await callTool(service, "search_past_work", { query: questionOf(corpus, n) });
        searching.push(performance.now() - start);
        for (const { hits } of sessions) for (const { ref } of hits) references.add(ref);
      }
      return residentMemory(pid);
    };
    // The first questions fill the caches of the service, which have a limit.
    const before = await searchAll();
    const after = await searchAll();
    const refs = [...references];
    if (refs.length === 0) throw new Error("No question had an answer.");
    const reading: number[] = [];
    for (let n = 0; n < READINGS; n++) {
      const start = performance.now();
      await callTool(service, "read_session", { ref: refs[(n * 7) % refs.length] });
      reading.push(performance.now() - start);
    }
    const grown = before === 0 ? null : (after - before) / MEGABYTE;
    return [
      judge({ what: `search_past_work, ${searching.length} times, p50`, measured: median(searching), unit: "ms" }),
      judge({
        what: `search_past_work, ${searching.length} times, p99`,
        measured: percentile(searching, 0.99),
        unit: "ms",
        atMost: 60,
      }),
      judge({ what: `read_session, ${READINGS} times, p50`, measured: median(reading), unit: "ms" }),
      judge({
        what: `read_session, ${READINGS} times, p99`,
        measured: percentile(reading, 0.99),
        unit: "ms",
        atMost: 20,
      }),
      judge({
        what: `memory that another ${SEARCHES} questions added`,
        measured: grown,
        unit: "MB",
        note: `${Math.round(before / MEGABYTE)} MB before`,
      }),
    ];
  });
}

/** Takes turns: names that are in the corpus, common words in a question, and words of which one is nowhere. */
function questionOf({ needles }: Corpus, n: number): string {
  const needle = needles[n % needles.length]?.text ?? "";
  const word = (offset: number): string => COMMON_WORDS[(n + offset) % COMMON_WORDS.length] ?? "";
  switch (n % 4) {
    case 0:
      return needle;
    case 1:
      return `have we seen ${needle} before`;
    case 2:
      return `why did we choose ${word(0)} ${word(7)} for the ${word(13)}?`;
    default:
      return `where is the function that ${word(3)} ${rareWord("absent", n)} ${word(5)}`;
  }
}

/** Calls a tool as a client does that keeps its connection. */
async function callTool(service: Service, name: string, args: object): Promise<ToolAnswer> {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const { status, body } = await service.process.send("POST", "/mcp", JSON.stringify(call), HEADERS);
  const { result } = JSON.parse(body) as {
    result?: { isError?: boolean; content: { text: string }[]; structuredContent: Partial<ToolAnswer> };
  };
  if (result === undefined) throw new Error(`${name} was answered with ${status}: ${body.slice(0, 500)}`);
  // A question that is no query is one that the memory did not answer.
  return { text: result.content[0]?.text ?? "", sessions: result.structuredContent.sessions ?? [] };
}
