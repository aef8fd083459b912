import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import zlib from "node:zlib";

const RECORDER = new URL("code-cache-recorder.mjs", import.meta.url).href;
const LONGEST_START_MS = 60_000;

/**
 * Keeps beside the bundles in a directory what V8 compiles of them for a start: the functions that have run when the
 * service has answered with a first page. Rejects where it does not come to that.
 */
export async function recordCodeCache(directory) {
  // Node before 20.15 could not check what it is given.
  if (zlib.crc32 === undefined) return;
  const program = join(directory, "main.js");
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith("SESSION_MANAGER_"));
  const temporary = await mkdtemp(join(tmpdir(), "session-manager-build-"));
  const service = spawn(
    process.execPath,
    ["--import", RECORDER, program, "--demo", "--port", "0", "--log-level", "silent"],
    {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      env: { ...Object.fromEntries(environment), TMPDIR: temporary, TEMP: temporary },
      timeout: LONGEST_START_MS,
      // Any other signal it would take for an orderly end.
      killSignal: "SIGKILL",
    },
  );
  const ended = once(service, "exit").then(([code, signal]) => {
    throw new Error(`${program} ended with ${signal ?? code} when it was told to keep what is compiled.`);
  });
  ended.catch(() => {});
  try {
    const url = await urlOf(service.stdout);
    while (!(await hasFirstPage(url))) await delay(10);
    const recorded = once(service, "message");
    service.send("record");
    await Promise.race([recorded, ended]);
  } finally {
    // No orderly end: it could wait for a thread that is at work, and nobody needs what it would keep.
    service.kill("SIGKILL");
    await ended.catch(() => {});
    await rm(temporary, { recursive: true });
  }
}

async function urlOf(output) {
  for await (const line of createInterface({ input: output })) return /http:\S+/.exec(line)[0];
  throw new Error("The service that was built does not start.");
}

async function hasFirstPage(url) {
  const body = JSON.stringify({ command: "list_sessions", payload: { limit: 50 } });
  const answer = await fetch(`${url}/api`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  const { data } = await answer.json();
  return data.sessions.length > 0 && data.pending === 0;
}
