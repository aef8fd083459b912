import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ToolOutput } from "../../library.ts";
import { SessionReader } from "./reader.ts";

let folder: string;
let project: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "outputs-")));
  project = join(folder, "projects", "-p");
  mkdirSync(join(project, "s", "tool-results"), { recursive: true });
  mkdirSync(join(project, "s", "subagents"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a session whose entry `e` has a result with its output at a path. */
function session(stored: string, path = join(project, "s.jsonl")): string {
  const content = [{ type: "tool_result", tool_use_id: "t", content: "<persisted-output>" }];
  const line = { type: "user", uuid: "e", parentUuid: null, message: { role: "user", content } };
  writeFileSync(path, `${JSON.stringify({ ...line, toolUseResult: { persistedOutputPath: stored } })}\n`);
  return path;
}

function read(path: string, entryId = "e"): ToolOutput {
  return JSON.parse(new TextDecoder().decode(new SessionReader().toolOutput(path, entryId)));
}

const EVERYTHING = { include_thinking: true, include_tools: true, redact: false, theme: "light" } as const;

const outputs = () => join(project, "s", "tool-results");

describe("an output in a file of its own", () => {
  it("is read, from the home in which the session is now", () => {
    writeFileSync(join(outputs(), "a.txt"), "Größe\n");
    const path = session("/home/other/.claude/projects/-q/s/tool-results/a.txt");
    expect(read(path)).toEqual({ text: "Größe\n", size_bytes: 8, complete: true });
  });

  it("of a subagent is in the folder of its parent", () => {
    writeFileSync(join(outputs(), "a.txt"), "of an agent");
    const path = session(join(outputs(), "a.txt"), join(project, "s", "subagents", "agent-1.jsonl"));
    expect(read(path).text).toBe("of an agent");
  });

  it("is read up to 16 MiB, and never half a character", () => {
    const path = session(join(outputs(), "a.txt"));
    writeFileSync(join(outputs(), "a.txt"), "");
    truncateSync(join(outputs(), "a.txt"), 17 * 1024 * 1024);
    const long = read(path);
    expect([long.text.length, long.size_bytes, long.complete]).toEqual([16 * 1024 * 1024, 17 * 1024 * 1024, false]);
    writeFileSync(join(outputs(), "a.txt"), `a${"é".repeat(8 * 1024 * 1024)}`);
    expect(read(path).text.endsWith("é")).toBe(true);
  });

  it("is in exports of the session, where it is still there", async () => {
    writeFileSync(join(outputs(), "a.txt"), "all of it");
    const path = session(join(outputs(), "a.txt"));
    const exported = async () => {
      const { pieces } = new SessionReader().export({ path, format: "markdown", ...EVERYTHING });
      const chunks: Uint8Array[] = [];
      for await (const piece of pieces) if (piece instanceof Uint8Array) chunks.push(piece);
      return Buffer.concat(chunks).toString();
    };
    expect(await exported()).toContain("all of it");
    rmSync(join(outputs(), "a.txt"));
    expect(await exported()).toContain("persisted-output");
  });

  it.each([
    ["another file of the machine", "/etc/passwd", "NOT_FOUND"],
    ["a place above the folder", "/s/tool-results/../secret.txt", "NOT_FOUND"],
    ["a file that is gone", "/s/tool-results/gone.txt", "NOT_FOUND"],
    ["a link", "/s/tool-results/link.txt", "FORBIDDEN"],
    ["a pipe", "/s/tool-results/pipe.txt", "FORBIDDEN"],
    ["a folder", "/s/tool-results/folder", "FORBIDDEN"],
  ])("is not read from %s", (_what, stored, code) => {
    const secret = join(project, "s", "secret.txt");
    writeFileSync(secret, "secret");
    symlinkSync(secret, join(outputs(), "link.txt"));
    execFileSync("mkfifo", [join(outputs(), "pipe.txt")]);
    mkdirSync(join(outputs(), "folder"));
    expect(() => read(session(stored))).toThrow(expect.objectContaining({ code }));
  });

  it("is not read where the folder is a link", () => {
    const elsewhere = join(folder, "elsewhere");
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, "a.txt"), "secret");
    rmSync(outputs(), { recursive: true });
    symlinkSync(elsewhere, outputs());
    expect(() => read(session("/s/tool-results/a.txt"))).toThrow(expect.objectContaining({ code: "FORBIDDEN" }));
  });

  it("is asked for by an entry that has one", () => {
    const path = session("");
    expect(() => read(path)).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
    expect(() => read(path, "f")).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
  });
});
