import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { spawn } from "node-pty";
import { median, percentile } from "../measure/percentile.ts";
import { CAN_WATCH_PROCESSES, processorTime, residentMemory } from "../measure/process-tree.ts";
import { programUrl } from "../measure/program-url.ts";
import type { Service } from "../measure/service.ts";
import { ServiceSocket } from "../measure/service-socket.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage } from "./bench.ts";

const FILE_BYTES = 200_000_000;
const SAMPLE_MS = 25;
const KEYSTROKES = 500;
const BETWEEN_KEYSTROKES_MS = 20;
const OPEN_TERMINALS = 50;
const IDLE_MS = 20_000;
const SETTLE_MS = 2_000;
const REPLAYED_BYTES = 1_048_576;
const ATTACHMENTS = 20;

interface Terminal {
  id: string;
}

/** What terminals carry, how soon they answer, and what they cost. */
export async function terminals(stage: Stage): Promise<BenchRow[]> {
  const directory = stage.newDirectory();
  mkdirSync(directory);
  const programs = new Programs(directory);
  return stage.withService(
    stage.newDirectory(),
    async (service) => {
      await service.ready();
      return [
        ...(await throughput(service, programs)),
        ...(await echo(service, programs)),
        await attaching(service, programs),
        await idleTerminals(service, programs),
      ];
    },
    directory,
  );
}

/** Programs for terminals, which do not change what goes through. */
class Programs {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  make(name: string, command: string): string {
    const path = join(this.#directory, name);
    writeFileSync(path, `#!/bin/sh\nstty raw -echo\n${command}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  /** Writes lines of printable characters; gives path and SHA-256. */
  file(bytes: number): { path: string; hash: string } {
    const path = join(this.#directory, `${bytes}.txt`);
    const hash = createHash("sha256");
    const file = openSync(path, "w");
    let number = 0;
    for (let written = 0; written < bytes; ) {
      const lines = Array.from({ length: 1_000 }, () => `${number++} the quick brown fox jumps over the lazy dog`);
      const piece = `${lines.join("\n")}\n`.slice(0, bytes - written);
      hash.update(piece);
      writeSync(file, piece);
      written += piece.length;
    }
    closeSync(file);
    return { path, hash: hash.digest("hex") };
  }
}

async function throughput(service: Service, programs: Programs): Promise<BenchRow[]> {
  const { path, hash } = programs.file(FILE_BYTES);
  const shell = programs.make("cat-file", `exec cat ${path}`);
  const alone = await plainThroughput(shell);
  // Code that runs for the first time takes memory that is not the terminal's.
  await readAll(service, programs.make("warm-up", `exec head -c ${FILE_BYTES / 10} ${path}`));
  await pause(SETTLE_MS);
  const { pid } = service.process;
  const before = residentMemory(pid);
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, residentMemory(pid));
  }, SAMPLE_MS);
  const read = await readAll(service, shell);
  clearInterval(sampler);
  if (read.hash !== hash) throw new Error("The output of the terminal is not what was written.");
  const what = `cat of ${FILE_BYTES / MEGABYTE} MB in a terminal, complete and in order`;
  return [
    judge({
      what,
      measured: FILE_BYTES / MEGABYTE / read.seconds,
      unit: "MB/s",
      reference: { name: "node-pty alone", value: alone },
      atLeast: 30,
    }),
    judge({
      what: "memory grown meanwhile, with the processes of the terminal",
      measured: CAN_WATCH_PROCESSES ? (peak - before) / MEGABYTE : null,
      unit: "MB",
      atMost: 40,
    }),
  ];
}

/** Megabytes a second of the same program where nobody but node-pty stands between. */
async function plainThroughput(shell: string): Promise<number> {
  const start = performance.now();
  const terminal = spawn(shell, [], {});
  let bytes = 0;
  terminal.onData(({ length }) => {
    bytes += length;
  });
  await new Promise((resolve) => terminal.onExit(resolve));
  return bytes / MEGABYTE / ((performance.now() - start) / 1000);
}

async function readAll(service: Service, shell: string): Promise<{ hash: string; seconds: number }> {
  const socket = await ServiceSocket.open(service.process.url);
  const hash = createHash("sha256");
  const start = performance.now();
  const ended = new Promise<void>((resolve) => {
    socket.onEvent = ({ event, payload }) => {
      if (event === "terminal-output") hash.update(String(payload.data));
      else if (event === "terminal-exit") resolve();
      else if (event === "events-lost") throw new Error("Output was lost.");
    };
  });
  const { id } = await socket.command<Terminal>("create_terminal", { cwd: "/", shell });
  await ended;
  const seconds = (performance.now() - start) / 1000;
  await socket.command("terminal_close", { id });
  socket.close();
  return { hash: hash.digest("hex"), seconds };
}

async function echo(service: Service, programs: Programs): Promise<BenchRow[]> {
  const flood = fork(fileURLToPath(programUrl("flood-reader")), [
    service.process.url,
    programs.make("flood", "exec yes"),
  ]);
  const socket = await ServiceSocket.open(service.process.url);
  try {
    await received(flood);
    let echoed = () => {};
    socket.onEvent = ({ event }) => {
      if (event === "terminal-output") echoed();
    };
    const shell = programs.make("echo", "exec cat");
    const { id } = await socket.command<Terminal>("create_terminal", { cwd: "/", shell });
    await pause(SETTLE_MS);
    const floodStart = performance.now();
    const before = await received(flood);
    const times: number[] = [];
    for (let key = 0; key < KEYSTROKES; key++) {
      const start = performance.now();
      const answered = new Promise<void>((resolve) => {
        echoed = resolve;
      });
      await Promise.all([socket.command("terminal_write", { id, data: "x" }), answered]);
      times.push(performance.now() - start);
      await pause(BETWEEN_KEYSTROKES_MS);
    }
    const flooded = (await received(flood)) - before;
    const rate = flooded / MEGABYTE / ((performance.now() - floodStart) / 1000);
    const what = `keystroke → echo over WebSocket while another terminal writes ${rate.toFixed(0)} MB/s`;
    return [
      judge({ what: `${what}, median`, measured: median(times), unit: "ms" }),
      judge({ what: `${what}, 99 %`, measured: percentile(times, 0.99), unit: "ms", atMost: 20 }),
    ];
  } finally {
    socket.close();
    flood.kill();
    await closeAll(service);
  }
}

/** Characters that the reader has got so far. */
async function received(reader: ChildProcess): Promise<number> {
  reader.send("report");
  const [count] = await once(reader, "message");
  return count;
}

async function attaching(service: Service, programs: Programs): Promise<BenchRow> {
  const { path } = programs.file(2 * REPLAYED_BYTES);
  const shell = programs.make("replayed", `cat ${path}; exec sleep 600`);
  const { id } = (await service.command("create_terminal", { cwd: "/", shell })) as Terminal;
  await pause(SETTLE_MS);
  const times: number[] = [];
  for (let count = 0; count < ATTACHMENTS; count++) {
    const socket = await ServiceSocket.open(service.process.url);
    const start = performance.now();
    const { data } = await socket.command<{ data: string }>("attach_terminal", { id });
    times.push(performance.now() - start);
    if (data.length < REPLAYED_BYTES) throw new Error(`Only ${data.length} characters were replayed.`);
    socket.close();
  }
  await closeAll(service);
  return judge({
    what: "attach with a replay of 1 MiB or more, p50",
    measured: median(times),
    unit: "ms",
    atMost: 100,
  });
}

async function idleTerminals(service: Service, programs: Programs): Promise<BenchRow> {
  const socket = await ServiceSocket.open(service.process.url);
  const shell = programs.make("idle", "exec sleep 600");
  for (let count = 0; count < OPEN_TERMINALS; count++) {
    await socket.command("create_terminal", { cwd: "/", shell });
  }
  await pause(SETTLE_MS);
  const target = { what: `processor time of ${OPEN_TERMINALS} open, idle terminals`, unit: "%", atMost: 1 };
  if (!CAN_WATCH_PROCESSES) return judge({ ...target, measured: null, note: "needs Linux" });
  const start = performance.now();
  const before = processorTime(service.process.pid);
  await pause(IDLE_MS);
  const used = processorTime(service.process.pid) - before;
  const elapsed = (performance.now() - start) / 1000;
  socket.close();
  await closeAll(service);
  return judge({ ...target, measured: (100 * used) / elapsed });
}

async function closeAll(service: Service): Promise<void> {
  const open = (await service.command("list_terminals", {})) as Terminal[];
  for (const { id } of open) await service.command("terminal_close", { id });
}
