import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { hasNodePty, openRealTerminals } from "./terminals.fixture.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "terminals-"));
});
afterAll(() => rm(folder, { recursive: true }));

const size = { cols: 80, rows: 24 };

/** What comes after the line that `run` waits for. */
function outputOf(text: string): string {
  return text.slice(text.lastIndexOf("begin\r\n") + "begin\r\n".length);
}

describe.skipIf(!hasNodePty)("terminals", () => {
  it("run the user's shell in a folder, with a size and an environment of their own", async () => {
    await using opened = openRealTerminals({
      env: { PATH: process.env.PATH, SHELL: "/bin/sh", SESSION_MANAGER_TOKEN: "secret", LANG: "C.UTF-8" },
      home: folder,
    });
    const { terminals, listeners } = opened;
    const id = await opened.run("pwd; stty size; env | sort", { cwd: folder, cols: 91, rows: 31 });
    await listeners.until(() => listeners.exit(id) !== null);
    const lines = outputOf(listeners.text(id)).split("\r\n");
    expect(lines.slice(0, 2)).toEqual([folder, "31 91"]);
    expect(lines).toEqual(
      expect.arrayContaining([`HOME=${folder}`, "LANG=C.UTF-8", "TERM=xterm-256color", "COLORTERM=truecolor"]),
    );
    expect(lines.filter((line) => line.startsWith("SESSION_MANAGER"))).toEqual([
      "SESSION_MANAGER_DATA_DIR=/data",
      "SESSION_MANAGER_URL=http://127.0.0.1:52131",
    ]);
    expect(await terminals.list()).toEqual([
      {
        ...{ id, cwd: folder, shell: "/bin/sh", pid: expect.any(Number), cols: 91, rows: 31 },
        started_at: expect.stringMatching(/^\d{4}-.*Z$/),
        status: null,
        ended_at: expect.any(String),
        exit: { exit_code: 0, signal: null },
      },
    ]);
  });

  it("number what they tell, tell it in the order in which it was written, and the exit last", async () => {
    await using opened = openRealTerminals();
    const { listeners } = opened;
    const id = await opened.run("seq 1 200000; (exit 3); exit");
    await listeners.until(() => listeners.exit(id) !== null);
    const expected = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\r\n`).join("");
    expect(outputOf(listeners.text(id)) === expected).toBe(true);
    const outputs = listeners.outputs(id);
    expect(outputs.map(({ seq }) => seq)).toEqual(outputs.map((_, index) => index + 1));
    expect(listeners.events.slice(-2)).toEqual([
      { type: "exit", id, exit_code: 3, signal: null },
      { type: "changed", id },
    ]);
  });

  it("tell the signal that has ended a program", async () => {
    await using opened = openRealTerminals();
    const { listeners } = opened;
    const id = await opened.run("kill -USR1 $$");
    await listeners.until(() => listeners.exit(id) !== null);
    expect(listeners.exit(id)).toEqual({ exit_code: null, signal: "SIGUSR1" });
  });

  it("join characters that are written in parts", async () => {
    await using opened = openRealTerminals();
    const { listeners } = opened;
    const id = await opened.run(
      "printf 'a\\303'; sleep 0.1; printf '\\251b\\360\\237'; sleep 0.1; printf '\\230\\200\\377c'",
    );
    await listeners.until(() => listeners.exit(id) !== null);
    expect(outputOf(listeners.text(id))).toBe("aéb😀\ufffdc");
  });

  it("lose nothing of a program that ends while nobody reads", async () => {
    await using opened = openRealTerminals();
    const { terminals, listeners } = opened;
    const id = await opened.run("read line; seq 1 1500");
    listeners.watchers.get(id)?.onAudience(1);
    listeners.watchers.get(id)?.onBehind(true);
    const read = listeners.text(id).length;
    await terminals.write(id, "\n");
    const pid = (await terminals.list())[0]?.pid ?? 0;
    await vi.waitUntil(() => !isRunning(pid), { timeout: 30_000 });
    expect(listeners.text(id)).toHaveLength(read);
    expect(listeners.exit(id)).toBeNull();
    listeners.watchers.get(id)?.onBehind(false);
    await listeners.until(() => listeners.exit(id) !== null);
    expect(outputOf(listeners.text(id))).toMatch(/^1\r\n2\r\n(.+\r\n)+1500\r\n$/);
  });

  it("let a program wait while even the fastest client is behind", async () => {
    await using opened = openRealTerminals();
    const { listeners } = opened;
    const flooding = await opened.run("yes");
    listeners.watchers.get(flooding)?.onAudience(1);
    await listeners.until(() => listeners.text(flooding).length > 100_000);
    listeners.watchers.get(flooding)?.onBehind(true);
    const before = listeners.text(flooding).length;
    const other = await opened.run("seq 1 100000");
    await listeners.until(() => listeners.exit(other) !== null);
    // What had been read is still told.
    expect(listeners.text(flooding).length - before).toBeLessThan(128 * 1024);
    // Whoever has left need not be waited for.
    const paused = listeners.text(flooding).length;
    listeners.watchers.get(flooding)?.onAudience(0);
    await listeners.until(() => listeners.text(flooding).length > paused + 500_000);
  });

  it("tell the exit although something in the background goes on writing", async () => {
    await using opened = openRealTerminals();
    const { listeners } = opened;
    const id = await opened.run("trap '' HUP; yes & echo started");
    await listeners.until(() => listeners.exit(id) !== null);
    expect(listeners.text(id)).toContain("started");
  });

  it("can be attached to by anybody, at any time", async () => {
    await using opened = openRealTerminals();
    const { terminals, listeners } = opened;
    const id = await opened.run("read line; echo one $line; read line; echo two $line");
    await terminals.write(id, "1\n");
    await listeners.until(() => listeners.text(id).includes("one 1\r\n"));
    const first = await terminals.attach(id, null);
    const sizes = [[0, size.cols, size.rows]];
    expect(first).toEqual({ id, ...size, seq: listeners.outputs(id).length, data: listeners.text(id), sizes });
    await terminals.write(id, "2\n");
    await listeners.until(() => listeners.exit(id) !== null);
    const second = await terminals.attach(id, first.seq);
    expect(first.data + second.data).toBe(listeners.text(id));
    expect(await terminals.attach(id, second.seq)).toEqual({ ...second, data: "" });
  });

  it("refuse input that the program does not read, and what comes after its end", async () => {
    await using opened = openRealTerminals();
    const { terminals, listeners } = opened;
    const id = await opened.run("stty raw; echo ready; sleep 1000");
    await listeners.until(() => listeners.text(id).includes("ready"));
    const megabyte = "x".repeat(1024 * 1024);
    for (let written = 0; written < 4; written++) await terminals.write(id, megabyte);
    await expect(terminals.write(id, megabyte)).rejects.toMatchObject({ code: "CONFLICT" });
    const ended = await opened.run("echo");
    await listeners.until(() => listeners.exit(ended) !== null);
    await expect(terminals.write(ended, "x")).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await terminals.resize(ended, 10, 10)).toEqual({ id: ended });
  });

  it("hand on much input, as fast as it is read", async () => {
    await using opened = openRealTerminals();
    const { terminals, listeners } = opened;
    const id = await opened.run("stty raw; echo ready; head -c 3300000 | sort -u | wc -lc");
    await listeners.until(() => listeners.text(id).includes("ready"));
    for (let written = 0; written < 3; written++) await terminals.write(id, "0123456789\n".repeat(100_000));
    await listeners.until(() => listeners.exit(id) !== null);
    expect(outputOf(listeners.text(id))).toMatch(/^ready\s+1\s+11\s*$/);
  });

  it("have the size that they are given", async () => {
    await using opened = openRealTerminals();
    const { terminals, listeners } = opened;
    const id = await opened.run(
      "exec sh -c 'trap \"stty size; exit\" WINCH; echo ready; while :; do sleep 0.05; done'",
    );
    await listeners.until(() => listeners.text(id).includes("ready"));
    expect(await terminals.resize(id, 1_000, 1)).toEqual({ id });
    await listeners.until(() => listeners.exit(id) !== null);
    expect(outputOf(listeners.text(id))).toContain("1 1000\r\n");
    expect((await terminals.list())[0]).toMatchObject({ cols: 1_000, rows: 1 });
  });

  it.each([
    [0, 24, "cols"],
    [80, 0, "rows"],
    [100_000, 24, "cols"],
    [80, 1.5, "rows"],
    [80, Number.NaN, "rows"],
  ])("refuse %d columns and %d rows", async (cols, rows, path) => {
    await using opened = openRealTerminals();
    const { terminals } = opened;
    const refused = { code: "INVALID_PAYLOAD", details: [{ path, message: expect.any(String) }] };
    await expect(terminals.create({ cwd: "/", cols, rows })).rejects.toMatchObject(refused);
    const id = await opened.run("sleep 1000");
    await expect(terminals.resize(id, cols, rows)).rejects.toMatchObject(refused);
  });

  it("start the program that is asked for", async () => {
    await using opened = openRealTerminals();
    const { terminals, listeners } = opened;
    const program = join(folder, "program");
    await writeFile(program, '#!/bin/sh\necho "arguments: $*, shell: $SHELL"\n');
    await chmod(program, 0o755);
    const { id, shell } = await terminals.create({ cwd: folder, ...size, shell: "./program" });
    await listeners.until(() => listeners.exit(id) !== null);
    expect(shell).toBe(program);
    expect(listeners.text(id)).toBe("arguments: , shell: /bin/sh\r\n");
  });

  it("are not found by other ids, nor once they are closed", async () => {
    await using opened = openRealTerminals();
    const { terminals, listeners } = opened;
    const id = await opened.run("sleep 1000");
    expect(await terminals.close(id)).toEqual({ id });
    expect(listeners.exit(id)).toEqual({ exit_code: null, signal: "SIGHUP" });
    expect(await terminals.list()).toEqual([]);
    expect(terminals.count).toBe(0);
    for (const other of [id, "", "__proto__"]) {
      const notFound = { code: "NOT_FOUND" };
      await expect(terminals.write(other, "x")).rejects.toMatchObject(notFound);
      await expect(terminals.resize(other, 10, 10)).rejects.toMatchObject(notFound);
      await expect(terminals.attach(other, null)).rejects.toMatchObject(notFound);
      await expect(terminals.close(other)).rejects.toMatchObject(notFound);
    }
  });

  it("are a hundred at most", async () => {
    await using opened = openRealTerminals();
    const { terminals } = opened;
    const options = { cwd: "/", ...size, shell: "cat" };
    const made = await Promise.allSettled(Array.from({ length: 103 }, () => terminals.create(options)));
    const refused = made.filter((each) => each.status === "rejected").map(({ reason }) => reason);
    expect(refused.map(({ code }) => code)).toEqual(["CONFLICT", "CONFLICT", "CONFLICT"]);
    expect(terminals.count).toBe(100);
  });

  it("end with the API token that they were opened with", async () => {
    const listenersOf = new Map<string, Set<() => void>>();
    const onTokenEnd = (id: string, listener: () => void) => {
      const ofToken = listenersOf.get(id) ?? new Set();
      listenersOf.set(id, ofToken.add(listener));
      return () => void ofToken.delete(listener);
    };
    await using opened = openRealTerminals({ onTokenEnd });
    const { terminals, listeners } = opened;
    const create = async (tokenId: string | null) =>
      (await terminals.create({ cwd: "/", ...size, shell: "cat", tokenId })).id;
    const [first, second, other, local] = await Promise.all([create("a"), create("a"), create("b"), create(null)]);
    await terminals.close(first);
    expect(listenersOf.get("a")?.size).toBe(1);
    for (const listener of listenersOf.get("a") ?? []) listener();
    await listeners.until(() => listeners.exit(second) !== null);
    expect((await terminals.list()).map(({ id }) => id).sort()).toEqual([other, local].sort());
    // The terminals of the two tokens were made at once: which is first is not known.
    expect(listenersOf.get("a")?.size).toBe(0);
    expect(listenersOf.get("b")?.size).toBe(1);
  });

  it("are closed when nobody uses them", async () => {
    await using opened = openRealTerminals({ idleMs: 100 });
    const { terminals, listeners } = opened;
    const { id } = await terminals.create({ cwd: "/", ...size, shell: "cat" });
    await listeners.until(() => listeners.exit(id) !== null);
    expect(await terminals.list()).toEqual([]);
  });
});

describe.skipIf(!hasNodePty || process.platform !== "linux")("processes", () => {
  it.each(["closeAll", "close"] as const)("all end with %s, whatever they do about it", async (way) => {
    const opened = openRealTerminals();
    const { terminals, listeners } = opened;
    const stubborn = "sh -c \"trap '' HUP TERM; sleep 1000; sleep 1000\"";
    const scripts = [
      "sleep 1000",
      "sleep 1000 & (sleep 1000 & sleep 1000) & wait",
      `nohup sleep 1000 >/dev/null 2>&1 & ${stubborn} & ${stubborn}`,
      `set -m; sleep 1000 & ${stubborn} & sh -c 'kill -STOP $$' & wait`,
      "nohup sleep 1000 >/dev/null 2>&1 & exit",
    ];
    const ids = await Promise.all(scripts.map((script) => opened.run(script)));
    const last = ids.at(-1) ?? "";
    await listeners.until(() => listeners.exit(last) !== null);
    const sessions = (await terminals.list()).map(({ pid }) => pid);
    await vi.waitUntil(async () => (await processesOf(sessions)).length >= 14, { timeout: 30_000, interval: 50 });
    if (way === "closeAll") await terminals.closeAll();
    else await Promise.all(ids.map((id) => terminals.close(id)));
    expect(await processesOf(sessions)).toEqual([]);
    expect(ids.filter((id) => listeners.exit(id) === null)).toEqual([]);
    expect(terminals.count).toBe(0);
    expect(await childrenOf(process.pid)).toEqual(expect.not.arrayContaining(sessions));
    await terminals.closeAll();
  });

  it("end although the shell has just started, and ends just after it has started them", async () => {
    await using opened = openRealTerminals();
    const { terminals } = opened;
    // What had been started while the processes were looked through was left, of ten mostly nine.
    for (let round = 0; round < 2; round += 1) {
      const started = await Promise.all(Array.from({ length: 10 }, () => terminals.create({ cwd: "/", ...size })));
      await Promise.all(started.map(({ id }) => terminals.write(id, "sleep 1000 & exit\n")));
      await Promise.all(started.map(({ id }) => terminals.close(id)));
      expect(await processesOf(started.map(({ pid }) => pid))).toEqual([]);
    }
  });

  it("are started no more once all are closed", async () => {
    const opened = openRealTerminals();
    const { terminals } = opened;
    const refused = expect(terminals.create({ cwd: "/", ...size })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await terminals.closeAll();
    await refused;
    expect(terminals.count).toBe(0);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface ProcessLine {
  pid: number;
  parent: number;
  session: number;
  state: string;
}

async function allProcesses(): Promise<ProcessLine[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, "utf8").catch(() => "")));
  return stats.filter(Boolean).map((stat) => {
    const [state = "", parent, , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { pid: Number.parseInt(stat, 10), parent: Number(parent), session: Number(session), state };
  });
}

/** Those that have ended wait for whoever started them, which may be a process that does not belong to the test. */
async function processesOf(sessions: number[]): Promise<ProcessLine[]> {
  return (await allProcesses()).filter(({ session, state }) => sessions.includes(session) && state !== "Z");
}

/** Those that have ended and were not waited for included. */
async function childrenOf(parent: number): Promise<number[]> {
  return (await allProcesses()).filter((each) => each.parent === parent).map(({ pid }) => pid);
}
