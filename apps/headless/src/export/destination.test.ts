import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findDestination, usualFormat } from "./destination.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-cli-"));
});

afterAll(() => rm(folder, { recursive: true }));

/** What was named: one session, one that a pattern has found, or two. */
type Named = "one" | "one of a pattern" | "two";

const select = (named: Named) => ({
  sessions: Array.from({ length: named === "two" ? 2 : 1 }, () => ({ path: "/a.jsonl", title: null })),
  isMany: named !== "one",
});

describe("findDestination", () => {
  it.each<[string | undefined, Named, string, string]>([
    [undefined, "one", "stdout", "markdown"],
    [undefined, "one of a pattern", "stdout", "markdown"],
    ["-", "one", "stdout", "markdown"],
    ["a.html", "one", "file", "html"],
    ["a.HTM", "one", "file", "html"],
    ["a.md", "one of a pattern", "file", "markdown"],
    ["a.json", "one", "file", "json"],
    ["a.jsonl", "one", "file", "jsonl"],
    ["a.txt", "one", "file", "markdown"],
    ["name", "one", "file", "markdown"],
    ["name", "one of a pattern", "folder", "html"],
    ["name", "two", "folder", "html"],
    ["v1.2", "two", "folder", "html"],
    ["name/", "one", "folder", "html"],
    ["a.zip", "one", "zip", "html"],
    ["a.ZIP", "two", "zip", "html"],
  ])("takes %j for %s session: %s", async (output, named, kind, format) => {
    const destination = await findDestination(output, select(named));
    expect(destination).toEqual(kind === "stdout" ? { kind } : { kind, path: output });
    expect(usualFormat(destination)).toBe(format);
  });

  it("knows a folder that exists", async () => {
    expect(await findDestination(folder, select("one"))).toEqual({ kind: "folder", path: folder });
  });

  it.each([undefined, "-", "all.html", "all.jsonl"])("has no place for several in %j", async (output) => {
    const outcome = findDestination(output, select("two"));
    await expect(outcome).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(".zip") });
  });
});
