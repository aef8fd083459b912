import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { LiveSession } from "@sm/core";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startLiveService } from "./live-service.ts";
import { startRealService } from "./real-service.ts";

// They start services and the agent, which takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const EXAMPLES = fileURLToPath(new URL("../../../docs/examples", import.meta.url));
const CORE = fileURLToPath(new URL("../../core", import.meta.url));
const ROUTER = fileURLToPath(new URL("../../router", import.meta.url));
/** Inside the package, so that the bundles find its dependencies; not dist, which somebody may be running. */
const CORE_BUILD = join(CORE, "node_modules", ".test-build-examples");

let folder: string;

/** A folder of somebody who has installed the packages as they are published. */
beforeAll(async () => {
  execFileSync(process.execPath, [join(CORE, "build.mjs"), CORE_BUILD]);
  folder = mkdtempSync(join(tmpdir(), "session-manager-examples-"));
  cpSync(EXAMPLES, folder, { recursive: true });
  symlinkSync(CORE_BUILD, join(install(CORE), "dist"));
  await build({
    entryPoints: [join(ROUTER, "src", "client", "index.ts")],
    outfile: join(install(ROUTER), "dist", "client", "index.js"),
    bundle: true,
    format: "esm",
    platform: "neutral",
  });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(CORE_BUILD, { recursive: true });
});

function install(room: string): string {
  const { name, type, publishConfig } = JSON.parse(readFileSync(join(room, "package.json"), "utf8"));
  const installed = join(folder, "node_modules", ...name.split("/"));
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, "package.json"), JSON.stringify({ name, type, exports: publishConfig.exports }));
  return installed;
}

interface Script extends AsyncDisposable {
  /** What it prints. */
  lines: AsyncIterator<string>;
  /** Its exit code, `null` where a signal has ended it. */
  ended: Promise<number | null>;
}

/** Starts an example, which is gone at the end of the block. */
function start(...args: string[]): Script {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ended = once(child, "exit").then(([code]) => code as number | null);
  return {
    lines,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function nextLine({ lines }: Script): Promise<string> {
  const { done, value } = await lines.next();
  if (done) throw new Error("The example has ended.");
  return value;
}

/** Runs an example that ends by itself, and gives what it has printed. */
async function run(...args: string[]): Promise<string[]> {
  await using script = start(...args);
  const lines: string[] = [];
  for await (const line of { [Symbol.asyncIterator]: () => script.lines }) lines.push(line);
  expect(await script.ended).toBe(0);
  return lines;
}

describe("the example", () => {
  it("export-html.mjs writes a page", async () => {
    expect(await run("export-html.mjs", "session.jsonl", "session.html")).toEqual(["Bernoulli numbers: session.html"]);
    const page = readFileSync(join(folder, "session.html"), "utf8");
    expect(page).toMatch(/^<!doctype html>/i);
    for (const text of ["Bernoulli numbers", "Fix it.", "without a loop"]) expect(page).toContain(text);
  });

  it("session-cost.mjs prints what each prompt has cost", async () => {
    expect(await run("session-cost.mjs", "session.jsonl")).toEqual([
      "$0.014  Why does `bernoulli(8)` return 0?",
      "$0.016  Fix it.",
      "Bernoulli numbers: $0.038 with all branches",
    ]);
  });

  it("redact-and-export.mjs writes Markdown without what names a person", async () => {
    expect(await run("redact-and-export.mjs", "session.jsonl", "shared.md")).toEqual([
      expect.stringMatching(/^\d+ × user$/),
    ]);
    const document = readFileSync(join(folder, "shared.md"), "utf8");
    expect(document).toContain("/home/\\[redacted:user-1]/analytical-engine");
    expect(document).toContain("Fix it.");
    for (const text of ["ada", "I should look at the recurrence first."]) expect(document).not.toContain(text);
  });

  it("search-library.mjs searches without a service", async () => {
    await using service = await startRealService();
    const search = () => run("search-library.mjs", service.home.folder, "index", "normal", "form");
    const found = await search();
    expect(found.at(-1)).toBe("2 hits");
    expect(found[0]).toMatch(/^Names with umlauts: .*normal form/);
    expect(await search()).toEqual(found);
  });

  it("statistics-csv.mjs writes a table of days", async () => {
    await using service = await startRealService();
    const [head, ...days] = await run("statistics-csv.mjs", service.url);
    expect(head).toBe("date,sessions,messages,tokens,cost_usd");
    expect(days).toEqual(expect.arrayContaining(["2026-02-01,1,2,7,", "2026-03-01,1,9,520,1"]));
  });

  it("follow-events.mjs prints what happens to sessions", async () => {
    await using service = await startRealService();
    // Those that are found later are told as new.
    await service.settled();
    await using script = start("follow-events.mjs", service.url);
    // It may be told of a file more than once.
    const until = async (line: string) => {
      while ((await nextLine(script)) !== line);
    };
    await until("4 sessions");
    const path = await service.home.copy();
    await until("new: Names with umlauts");
    await service.ask("rename_session", { path, name: "A copy" });
    await until("changed: A copy");
    // Of a file that only vanishes the vault may have the session.
    await service.ask("delete_session", { path });
    await until("gone: A copy");
  });

  it("watch-agent.mjs prints what an agent says, from the beginning to its end", async () => {
    await using live = await startLiveService();
    const { service, project } = live;
    const { session_id } = await service.ask<LiveSession>("start_coding_session", { cwd: project });
    const prompt = (text: string) => service.ask("send_coding_agent_rpc", { session_id, prompt: text });
    await prompt("run echo hello");
    await using script = start("watch-agent.mjs", service.url, session_id);
    expect(await nextLine(script)).toBe("I run it.");
    expect(await nextLine(script)).toBe('> bash {"command":"echo hello"}');
    expect(await nextLine(script)).toBe("It said: hello");
    await prompt("Good night");
    expect(await nextLine(script)).toBe("You said: Good night");
    await service.ask("stop_coding_session", { session_id });
    expect(await script.ended).toBe(0);
  });
});
