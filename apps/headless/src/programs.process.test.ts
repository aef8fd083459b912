import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LiveSession, Terminal } from "@sm/core";
import { describe, expect, it } from "vitest";
import { call, type Service, testBinary, until } from "./binary.fixture.ts";

const binary = testBinary("programs");

/** Answers every request as an agent does that has nothing to do, and ends a prompt as soon as it has begun. */
const AGENT = `#!${process.execPath}
process.stdin.setEncoding("utf8").on("data", (text) => {
  for (const line of text.split("\\n").filter((one) => one !== "")) {
    const { id, type } = JSON.parse(line);
    const data = { sessionId: "the-session", isStreaming: false, thinkingLevel: "off", models: [], messages: [] };
    console.log(JSON.stringify({ id, type: "response", command: type, success: true, data }));
    if (type !== "prompt") continue;
    console.log(JSON.stringify({ type: "agent_start" }));
    console.log(JSON.stringify({ type: "agent_end", messages: [] }));
  }
});
`;

/** Processes of this machine are counted by what Linux tells of them. */
describe.runIf(process.platform === "linux")("a service with programs", () => {
  it("leaves none of them when it ends, and no zombie while it runs", async () => {
    const service = await serveWithAgent();
    const { url, child } = service;
    const [kept, closed] = [await openShell(url), await openShell(url)];
    const agent = await call<LiveSession>(url, "start_coding_session", { cwd: binary.folder });
    expect(agent).toMatchObject({ session_id: "the-session", state: "idle", controllable: true });

    const shells = await until(() => {
      const all = [kept, closed].map(({ pid }) => descendantsOf(pid));
      return all.every(({ length }) => length === 2) ? all : undefined;
    });
    expect(await figures(url)).toEqual({ terminals: 2, live_sessions: 1 });
    expect(descendantsOf(child.pid ?? 0)).toHaveLength(3 + 2 * 2);

    await call(url, "terminal_close", { id: closed.id });
    await until(() => (descendantsOf(child.pid ?? 0).length === 2 + 2 ? true : undefined));
    expect(await figures(url)).toEqual({ terminals: 1, live_sessions: 1 });

    const left = [...shells.flat(), kept.pid, closed.pid, agent.pid];
    child.kill("SIGTERM");
    expect(await service.ended).toEqual({ code: 0, signal: null });
    await until(() => (left.every((pid) => !isRunning(pid)) ? true : undefined));
    expect(service.output.stderr).toBe("");
  });
});

it("the command line talks to agents through a server, and says that it needs one", async () => {
  const alone = binary.run(["live"]);
  expect(await alone.ended).toEqual({ code: 5, signal: null });
  expect(alone.output.stderr).toContain("need a running server");

  await serveWithAgent();
  async function cli(...args: string[]): Promise<unknown> {
    const { output, ended } = binary.run([...args, "--json"]);
    expect({ ...(await ended), stderr: output.stderr }).toEqual({ code: 0, signal: null, stderr: "" });
    return JSON.parse(output.stdout);
  }
  const started = await cli("live", "start", binary.folder);
  expect(started).toMatchObject({ session_id: "the-session", cwd: binary.folder, state: "idle" });
  // Others may run on this machine.
  expect(await cli("live")).toContainEqual(started);
  const following = binary.run(["live", "follow", "last", "--json"]);
  expect(await cli("live", "send", "last", "Hello")).toEqual({ accepted: true, disposition: "started" });
  await until(() => (following.output.stdout.includes('"agent_end"') ? true : undefined));
  expect(await cli("live", "stop", "the-session")).toMatchObject({ state: "exited" });
  expect(await following.ended).toEqual({ code: 0, signal: null });
  const lines = following.output.stdout.trimEnd().split("\n");
  const types = lines.map((line) => (JSON.parse(line) as { event: { type: string } }).event.type);
  expect(types.slice(0, 2)).toEqual(["agent_start", "agent_end"]);
  expect(await cli("terminals")).toEqual([]);
});

async function serveWithAgent(): Promise<Service> {
  const agent = join(binary.folder, "agent");
  await writeFile(agent, AGENT);
  await chmod(agent, 0o755);
  const config = join(binary.folder, ".config");
  await mkdir(config);
  await writeFile(join(config, "session-manager.json"), JSON.stringify({ agent_command: agent }));
  return binary.serve();
}

/** A shell that runs a program, and another that does not heed the end of its terminal. */
async function openShell(url: string): Promise<Terminal> {
  const terminal = await call<Terminal>(url, "create_terminal", { cwd: binary.folder, shell: "/bin/sh" });
  await call(url, "terminal_write", { id: terminal.id, data: "nohup sleep 1000 & sleep 2000\r" });
  return terminal;
}

async function figures(url: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Object.fromEntries(
    ["terminals", "live_sessions"].map((name) => [
      name,
      Number(new RegExp(`^session_manager_${name} (.+)$`, "m").exec(text)?.[1]),
    ]),
  );
}

/** Everything below a process, zombies included. */
function descendantsOf(pid: number): number[] {
  const children = readdirSync("/proc")
    .map(Number)
    .filter((one) => one > 0 && statusOf(one)?.parent === pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

function isRunning(pid: number): boolean {
  const status = statusOf(pid);
  return status !== null && status.state !== "Z";
}

function statusOf(pid: number): { state: string; parent: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name before it may have any characters in it.
    const [state = "", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent) };
  } catch {
    return null;
  }
}
