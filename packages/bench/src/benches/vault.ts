import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type FileToKeep, Vault } from "@sm/core/vault";
import { openCorpus } from "../corpus/corpus.ts";
import { DEFAULT_PARAMETERS } from "../corpus/plan.ts";
import { Random } from "../corpus/random.ts";
import { type SessionFile, sessionFiles } from "../corpus/session-files.ts";
import { percentile } from "../measure/percentile.ts";
import { bytesWritten, CAN_WATCH_PROCESSES } from "../measure/process-tree.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage } from "./bench.ts";
import { vaultOfService } from "./vault-service.ts";

/** Unless `--bytes` and `--sessions` say otherwise. */
const SHAPE = { bytes: 80_000_000, sessions: 1_000 };
const LARGE_BYTES = 80_000_000;
const APPENDS = 500;
const READS = 500;
const PAGE_BYTES = 128 * 1024;
const KIBIBYTE = 1024;

/** What it costs to keep sessions, how small they become, and how fast they are read back: in one thread, and by a service. */
export async function vault(stage: Stage): Promise<BenchRow[]> {
  const corpus = openCorpus({ ...DEFAULT_PARAMETERS, ...SHAPE, ...stage.shape });
  const files = sessionFiles(corpus.agentHome);
  const directory = stage.newDirectory();
  mkdirSync(directory);
  const kept = Vault.open(join(directory, "vault.db"));
  try {
    const alone = [...sizes(kept, files, directory), ...restored(kept, files), ...large(files, directory)];
    return [...alone, ...(await vaultOfService(stage, corpus))];
  } finally {
    kept.close();
  }
}

function sizes(kept: Vault, files: readonly SessionFile[], directory: string): BenchRow[] {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const keeping = processorSeconds(() => {
    for (const { path } of files) keep(kept, path);
  });
  const before = kept.status().bytes;
  const settling = processorSeconds(() => kept.settle(Number.POSITIVE_INFINITY));
  const packed = kept.status().bytes;
  const whole = xzBytes(files, directory);
  const xz = whole === null ? {} : { reference: { name: "xz -9 of all in one", value: (100 * whole) / bytes } };
  return [
    judge({ what: "sessions kept, processor time", measured: bytes / MEGABYTE / keeping, unit: "MB/s" }),
    judge({ what: "size of the vault after keeping", measured: (100 * before) / bytes, unit: "%" }),
    judge({ what: "packed again, processor time", measured: bytes / MEGABYTE / settling, unit: "MB/s" }),
    judge({ what: "size of the vault after that", measured: (100 * packed) / bytes, unit: "%", atMost: 15, ...xz }),
  ];
}

function restored(kept: Vault, files: readonly SessionFile[]): BenchRow[] {
  let equal = 0;
  const seconds = processorSeconds(() => {
    for (const { path, size } of files) {
      const generation = kept.newest(path);
      const content = Buffer.alloc(size);
      if (generation !== null) kept.read(generation, content, 0);
      if (hashOf(content) === hashOf(readFileSync(path))) equal++;
    }
  });
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const verifying = processorSeconds(() => {
    for (let cursor: string | null = null; ; ) {
      const { next, damaged }: ReturnType<Vault["verify"]> = kept.verify(cursor, 100);
      if (damaged.length > 0) throw new Error("The vault is damaged.");
      if (next === null) break;
      cursor = next;
    }
  });
  return [
    judge({ what: "sessions restored with equal bytes", measured: equal, unit: "", atLeast: files.length }),
    judge({ what: "restored and compared, processor time", measured: bytes / MEGABYTE / seconds, unit: "MB/s" }),
    judge({ what: "verified, processor time", measured: bytes / MEGABYTE / verifying, unit: "MB/s" }),
  ];
}

/** A session of 80 MB: lines are appended, it vanishes, and pages of it are read. */
function large(files: readonly SessionFile[], directory: string): BenchRow[] {
  const path = join(directory, "large.jsonl");
  const lines: string[] = [];
  for (let size = 0, n = 0; size < LARGE_BYTES; n++) {
    const { path: source = "", size: bytes = 0 } = files[n % files.length] ?? {};
    const content = readFileSync(source);
    writeFileSync(path, content, { flag: "a" });
    if (lines.length < APPENDS) lines.push(...content.toString().trimEnd().split("\n"));
    size += bytes;
  }
  const database = join(directory, "large.db");
  const first = Vault.open(database);
  keep(first, path);
  // Carries over what the beginning has left in the write-ahead log.
  first.close();
  const growing = Vault.open(database);
  const appended: number[] = [];
  let written: number | null = null;
  const times: number[] = [];
  const before = CAN_WATCH_PROCESSES ? bytesWritten(process.pid) : 0;
  for (const line of lines.slice(0, APPENDS)) {
    appendFileSync(path, `${line}\n`);
    appended.push(Buffer.byteLength(line) + 1);
    const start = performance.now();
    keep(growing, path);
    times.push(performance.now() - start);
  }
  growing.close();
  // Those to the session itself count too.
  if (CAN_WATCH_PROCESSES) written = bytesWritten(process.pid) - before - appended.reduce((sum, size) => sum + size, 0);
  const reading = Vault.open(database, { isReadOnly: true });
  const generation = reading.newest(path);
  if (generation === null) throw new Error("The session is not in the vault.");
  const random = new Random(1);
  const page = Buffer.alloc(PAGE_BYTES);
  const reads = Array.from({ length: READS }, () => {
    const offset = random.below(generation.bytes - PAGE_BYTES);
    const start = performance.now();
    reading.read(generation, page, offset);
    return performance.now() - start;
  });
  reading.close();
  return [
    judge({
      what: `written for a line of ${Math.round(appended.reduce((sum, size) => sum + size, 0) / appended.length)} bytes appended to 80 MB, mean`,
      measured: written === null ? null : written / appended.length / KIBIBYTE,
      unit: "KiB",
      atMost: 16,
    }),
    judge({ what: "a line appended to 80 MB kept, median", measured: percentile(times, 0.5), unit: "ms" }),
    judge({ what: "a line appended to 80 MB kept, 99 %", measured: percentile(times, 0.99), unit: "ms" }),
    judge({
      what: "128 KiB of a vanished session of 80 MB read anywhere, median",
      measured: percentile(reads, 0.5),
      unit: "ms",
    }),
    judge({
      what: "128 KiB of a vanished session of 80 MB read anywhere, 99 %",
      measured: percentile(reads, 0.99),
      unit: "ms",
      atMost: 50,
    }),
  ];
}

function keep(kept: Vault, path: string): void {
  const descriptor = openSync(path, "r");
  try {
    const { size, mtimeMs, ctimeMs, ino, mode } = fstatSync(descriptor);
    const file: FileToKeep = {
      path,
      owner: null,
      format: "pi",
      sessionId: path,
      stamp: { size, mtime: mtimeMs, ctime: ctimeMs, inode: ino },
      mode: mode & 0o777,
      read: (buffer, offset) => readSync(descriptor, buffer, 0, buffer.length, offset),
    };
    kept.keep(file);
  } finally {
    closeSync(descriptor);
  }
}

/** Of this process, in user space and in the kernel. */
function processorSeconds(action: () => unknown): number {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** How small the sessions become in one file, with the largest window: the least that chunks could be. */
function xzBytes(files: readonly SessionFile[], directory: string): number | null {
  const path = join(directory, "all");
  for (const { path: source } of files) writeFileSync(path, readFileSync(source), { flag: "a" });
  try {
    execFileSync("xz", ["-9", "--keep", path]);
    return readFileSync(`${path}.xz`).length;
  } catch {
    return null;
  }
}

function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
