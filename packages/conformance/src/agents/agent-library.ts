import { spawn } from "node:child_process";
import { copyFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { type AgentVersion, installAgent } from "./real-agent.ts";

/** What a release of the agent finds in a session file. */
export interface OpenedSession {
  name: string | null;
  /** Path of the session that it was forked from. */
  parent: string | null;
  /** The current leaf. */
  leaf: string | null;
  /** Ids of the entries of the newest branch, root to leaf. */
  branch: string[];
  /** Texts of the conversation that the model would see. */
  messages: string[];
  /** Labels by the id of their entry. */
  labels: Record<string, string>;
}

/** Runs in the agent's own Node, which the tests may not run in: opens the files that it is told. */
const OPENER = `
const { SessionManager } = await import(process.argv[1]);
const { createInterface } = await import("node:readline");
const textOf = ({ content, summary }) =>
  typeof content === "string" ? content : content === undefined ? summary : content.map(({ text }) => text ?? "").join("");
for await (const path of createInterface({ input: process.stdin })) {
  const session = SessionManager.open(path);
  const entries = session.getEntries();
  const labels = entries.flatMap(({ id }) => (session.getLabel(id) === undefined ? [] : [[id, session.getLabel(id)]]));
  console.log(JSON.stringify({
    name: session.getSessionName() ?? null,
    parent: session.getHeader().parentSession ?? null,
    leaf: session.getLeafId(),
    branch: session.getBranch().map(({ id }) => id),
    messages: session.buildSessionContext().messages.filter(({ role }) => role !== "system").map(textOf),
    labels: Object.fromEntries(labels),
  }));
}
`;

/** Ends lines at LF alone: readline does so at U+2028 too in Node 24, and texts have it. */
async function* linesOf(output: Readable): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const chunk of output.setEncoding("utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** A release of the agent as a library, in a process of its own for all files. */
export interface AgentLibrary extends AsyncDisposable {
  /** Opens a copy of a session file: the agent rewrites old versions. */
  open(path: string): Promise<OpenedSession>;
}

export async function startAgentLibrary(version: AgentVersion): Promise<AgentLibrary> {
  const { node, library } = await installAgent(version);
  const child = spawn(node, ["--input-type=module", "-e", OPENER, library], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = linesOf(child.stdout);
  const ended = new Promise((resolve) => child.on("close", resolve));
  return {
    async open(path) {
      const copy = `${path}.${version}.copy`;
      await copyFile(path, copy);
      child.stdin.write(`${copy}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`Agent ${version} could not open ${path}; see its standard error.`);
      return JSON.parse(value) as OpenedSession;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
