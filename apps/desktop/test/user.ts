import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { processesWith, type RunningProcess } from "./processes.ts";

/** Somebody with a home of their own, sessions in it, and a browser that only notes what it is to open. */
export interface User extends AsyncDisposable {
  readonly home: string;
  /** What programs of this user start with; nothing of it is of the machine that runs the tests but `PATH`. */
  readonly environment: Record<string, string>;
  /** A session about umlauts, with a link to elsewhere. */
  readonly session: string;
  /** Another one, about parsers. */
  readonly otherSession: string;
  /** The addresses that the browser was to open, oldest first. */
  openedAddresses(): Promise<string[]>;
  /** Every program that this user runs. */
  processes(): Promise<RunningProcess[]>;
}

export const LINK = "https://example.org/elsewhere?a=b";

/** Makes a user; at the end their programs are killed and their files removed. */
export async function makeUser(): Promise<User> {
  const home = await mkdtemp(join(tmpdir(), "session-manager-desktop-"));
  const sessions = join(home, ".pi", "agent", "sessions", "--home-user-project--");
  const programs = join(home, "bin");
  const runtime = join(home, "run");
  const opened = join(home, "opened");
  for (const folder of [sessions, programs, runtime, join(home, "Downloads")]) await mkdir(folder, { recursive: true });
  await chmod(runtime, 0o700);
  // What opens addresses on every Linux desktop.
  await writeFile(join(programs, "xdg-open"), `#!/bin/sh\nprintf '%s\\n' "$1" >> '${opened}'\n`, { mode: 0o755 });

  const session = join(sessions, "2026-03-01T10-00-00-000Z_umlauts.jsonl");
  const otherSession = join(sessions, "2026-02-01T10-00-00-000Z_parsers.jsonl");
  await writeFile(
    session,
    sessionText(
      "umlauts",
      "2026-03-01T10:00:00.000Z",
      "Why does Größe fail?",
      `Umlauts fail, see [the page](${LINK}).`,
    ),
  );
  await writeFile(
    otherSession,
    sessionText("parsers", "2026-02-01T10:00:00.000Z", "How are lines parsed?", "One after the other."),
  );

  const environment = {
    HOME: home,
    PATH: `${programs}${delimiter}${process.env.PATH ?? ""}`,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_RUNTIME_DIR: runtime,
    LANG: "C.UTF-8",
    // The service for screen readers is none that a test machine has.
    NO_AT_BRIDGE: "1",
  };
  const processes = () => processesWith("HOME", home);
  return {
    home,
    environment,
    session,
    otherSession,
    processes,

    async openedAddresses() {
      try {
        return (await readFile(opened, "utf8")).split("\n").slice(0, -1);
      } catch {
        return [];
      }
    },

    async [Symbol.asyncDispose]() {
      // The application starts its service again as long as it runs itself.
      for (let left = await processes(); left.length > 0; left = await processes()) {
        for (const { pid } of left) kill(pid);
      }
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function sessionText(id: string, timestamp: string, question: string, answer: string): string {
  const message = (id: string, parentId: string | null, role: string, text: string) => ({
    type: "message",
    id,
    parentId,
    timestamp,
    message: { role, content: [{ type: "text", text }] },
  });
  const lines = [
    { type: "session", version: 3, id, timestamp, cwd: "/home/user/project" },
    message("m1", null, "user", question),
    message("m2", "m1", "assistant", answer),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
