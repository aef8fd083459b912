import { GrowingSession } from "../corpus/growing-session.ts";
import { rareWord } from "../corpus/rare-word.ts";

/** What a process of agents is told. */
export type AgentsOrder = { open: AgentsTask } | { writeFor: number };

export interface AgentsTask {
  /** Where their sessions lie. */
  directory: string;
  /** The numbers of its agents. */
  from: number;
  below: number;
}

/** Answers to {@link AgentsOrder}: all sessions exist; a line was written; nothing more will be, with counts by agent. */
export type AgentsReport = { opened: number } | { written: WrittenLine } | { done: [agent: number, lines: number][] };

export interface WrittenLine {
  /** Occurs in no other line. */
  word: string;
  /** Milliseconds since 1970, with a fraction. */
  at: number;
}

// Agents that append to their sessions all at once. One line out of some is told, so that the time until it is found
// can be measured.

const BYTES_BEFORE = 20_000;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 500;
const LINES_PER_TOLD = 64;
/** More than an agent writes in a minute. */
const LINES_PER_AGENT = 1_000;

const agents: { agent: number; session: GrowingSession; lines: number }[] = [];
let written = 0;

process.on("message", (order: AgentsOrder) => {
  if ("open" in order) open(order.open);
  else write(order.writeFor);
});

function tell(report: AgentsReport): void {
  process.send?.(report);
}

function open({ directory, from, below }: AgentsTask): void {
  for (let agent = from; agent < below; agent++) {
    agents.push({ agent, session: new GrowingSession(directory, `agent-${agent}`, BYTES_BEFORE), lines: 0 });
  }
  tell({ opened: agents.length });
}

function write(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  let working = agents.length;
  for (const own of agents) {
    const next = () => {
      if (performance.now() < until) {
        append(own);
        setTimeout(next, MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS));
      } else if (--working === 0) {
        tell({ done: agents.map(({ agent, lines }) => [agent, lines]) });
      }
    };
    setTimeout(next, Math.random() * MAX_PAUSE_MS);
  }
}

function append(own: (typeof agents)[number]): void {
  const word = rareWord("line", own.agent * LINES_PER_AGENT + own.lines++);
  const at = performance.timeOrigin + performance.now();
  own.session.append(`${rareWord("agent", own.agent)} goes on with ${word}.`);
  if (written++ % LINES_PER_TOLD === 0) tell({ written: { word, at } });
}
