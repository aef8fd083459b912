import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";

/** A process of this machine. */
export interface MachineProcess {
  pid: number;
  parent: number;
  /** Program and arguments; a program that has set its title has only that. */
  args: string[];
  started_at: string;
}

/** Value that Linux reports to programs; the kernel's own may differ. */
const TICKS_PER_SECOND = 100;
const INTERPRETERS = new Set(["node", "nodejs", "bun"]);
/** A file of the agent's package, but not of another agent that is installed in a checkout of it. */
const PACKAGE = /\/pi-coding-agent\/(?!.*\/?node_modules\/)/;
const run = promisify(execFile);

/** Lists the processes of this machine; empty on systems other than Linux and macOS. */
export async function listProcesses(): Promise<MachineProcess[]> {
  if (process.platform === "linux") return listLinux();
  if (process.platform !== "darwin") return [];
  const columns = ["-o", "pid=", "-o", "ppid=", "-o", "lstart=", "-o", "args="];
  const { stdout } = await run("ps", ["-ax", ...columns], { env: { ...process.env, LC_ALL: "C" }, maxBuffer: 2 ** 24 });
  return parsePs(stdout);
}

/** Lists the descendants of a process, as far as visible. */
export async function descendantsOf(ancestor: number): Promise<number[]> {
  const processes = await listProcesses().catch(() => []);
  const found = [ancestor];
  for (const one of found) for (const { pid, parent } of processes) if (parent === one) found.push(pid);
  return found.slice(1);
}

/** Working directory of a process; `null` for other users' processes. */
export async function workingDirectoryOf(pid: number): Promise<string | null> {
  try {
    if (process.platform === "linux") return await readlink(`/proc/${pid}/cwd`);
    const { stdout } = await run("lsof", ["-a", "-p", String(pid), "-d", "cwd", "-Fn"]);
    return /^n(.+)$/m.exec(stdout)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Whether a process is the agent: by its title, or an interpreter running the agent's program. */
export function isAgent(args: readonly string[], names: ReadonlySet<string>): boolean {
  const isNamed = (path: string) => names.has(path) || names.has(basename(path));
  const [program = "", ...others] = args;
  if (isNamed(program.trim())) return true;
  const script = others.find((argument) => !argument.startsWith("-")) ?? "";
  return INTERPRETERS.has(basename(program)) && (isNamed(script) || PACKAGE.test(script));
}

/** Parses the output of `ps`: pid, parent, start and command, whose arguments are not separated. */
export function parsePs(output: string): MachineProcess[] {
  const processes: MachineProcess[] = [];
  for (const line of output.split("\n")) {
    const [, pid, parent, start = "", args = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\S+ +\S+ +\S+ +\S+ +\S+)\s+(.*)$/.exec(line) ?? [];
    const started = new Date(start);
    if (pid === undefined || Number.isNaN(started.getTime())) continue;
    processes.push({
      pid: Number(pid),
      parent: Number(parent),
      args: args.split(" "),
      started_at: started.toISOString(),
    });
  }
  return processes;
}

async function listLinux(): Promise<MachineProcess[]> {
  const bootSeconds = Number(/^btime (\d+)$/m.exec(await readFile("/proc/stat", "utf8"))?.[1] ?? 0);
  const names = await readdir("/proc");
  const processes = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((name) => readLinux(Number(name), bootSeconds)),
  );
  return processes.filter((one) => one !== null);
}

async function readLinux(pid: number, bootSeconds: number): Promise<MachineProcess | null> {
  try {
    const args = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0").filter((arg) => arg !== "");
    if (args.length === 0) return null;
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain anything. After it: state, parent, ..., the start as the 20th.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const started = bootSeconds + Number(fields[19]) / TICKS_PER_SECOND;
    return { pid, parent: Number(fields[1]), args, started_at: new Date(started * 1_000).toISOString() };
  } catch {
    // It has ended or belongs to another user.
    return null;
  }
}
