import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import type { SessionFold } from "../session/session-fold.ts";
import type { SessionFormat } from "./format.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const SOURCES = fileURLToPath(new URL("..", import.meta.url));

/** The diff of the walk that CONTRIBUTING.md has for formats, by file. */
function walk(): Map<string, string> {
  const text = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const section = text.slice(text.indexOf("## Add a session format"));
  const diff = /```diff\n(.*?)\n```/s.exec(section)?.[1] ?? "";
  const files = diff.split(/^\+\+\+ b\//m).slice(1);
  return new Map(
    files.map((file) => [join(ROOT, file.slice(0, file.indexOf("\n"))), file.slice(file.indexOf("\n") + 1)]),
  );
}

/** @throws where the file has not what the diff expects of it. */
function applied(path: string, diff: string): string {
  const lines = (marks: string, hunk: string) =>
    hunk
      .split("\n")
      .filter((line) => line !== "" && marks.includes(line[0] ?? ""))
      .map((line) => line.slice(1))
      .join("\n");
  if (!diff.startsWith("@@")) return lines("+", diff);
  return diff
    .split(/^@@\n/m)
    .slice(1)
    .reduce(
      (before, hunk) => {
        const expected = lines(" -", hunk);
        if (before.split(expected).length !== 2) throw new Error(`${path} does not have once:\n${expected}`);
        return before.replace(expected, () => lines(" +", hunk));
      },
      readFileSync(path, "utf8"),
    );
}

interface Patched {
  formats: readonly SessionFormat[];
  SessionFold: typeof SessionFold;
}

describe("the format that CONTRIBUTING.md adds", () => {
  const LINES: JsonObject[] = [
    { type: "chat", id: "c1", at: 1_767_225_600_000, folder: "/code/tide" },
    { type: "said", by: "user", text: "Where is the tide table?", at: 1_767_225_601_000 },
    { type: "said", by: "program", text: "In tables/tide.ts.", at: 1_767_225_602_000 },
    { type: "named", name: "Tide table" },
  ];
  let directory: string;
  let patched: Patched;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "session-manager-add-a-format-"));
    const changed = walk();
    expect(changed.size).toBe(3);
    const { outputFiles } = await build({
      stdin: {
        contents:
          'export { formats } from "./format/formats.ts"; export { SessionFold } from "./session/session-fold.ts";',
        resolveDir: SOURCES,
      },
      bundle: true,
      write: false,
      format: "esm",
      platform: "node",
      conditions: ["@sm/source"],
      plugins: [
        {
          name: "walk",
          setup({ onResolve, onLoad }) {
            onResolve({ filter: /\/chat\.ts$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path) }));
            onLoad({ filter: /\.ts$/ }, ({ path }) => {
              const diff = changed.get(path);
              return diff === undefined ? undefined : { contents: applied(path, diff), loader: "ts" };
            });
          },
        },
      ],
    });
    const program = join(directory, "patched.mjs");
    writeFileSync(program, outputFiles[0]?.contents ?? "");
    patched = (await import(pathToFileURL(program).href)) as Patched;
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  function folded(lines: readonly JsonObject[], fold = new patched.SessionFold()): SessionFold {
    for (const line of lines) fold.add(line, fold.outline.count * 100, 99);
    return fold;
  }

  it("is told from the others", () => {
    for (const line of LINES.slice(0, 3)) {
      expect(patched.formats.filter((format) => format.recognises(line)).map(({ name }) => name)).toEqual(["chat"]);
    }
  });

  it("folds to a record, and in pieces to the same one", () => {
    const record = folded(LINES).record({ path: "/c.jsonl", size: 400, modifiedAt: 0 });
    expect(record).toMatchObject({
      id: "c1",
      format: "chat",
      name: "Tide table",
      cwd: "/code/tide",
      message_count: 2,
      user_message_count: 1,
      first_message: "Where is the tide table?",
      last_message: "In tables/tide.ts.",
      malformed_lines: 0,
      capabilities: { fork: false, start: false },
    });
    for (let cut = 1; cut < LINES.length; cut++) {
      const { state } = folded(LINES.slice(0, cut));
      const again = new patched.SessionFold({
        ...folded(LINES.slice(0, cut)),
        state: JSON.parse(JSON.stringify(state)),
      });
      expect(folded(LINES.slice(cut), again).summary()).toEqual(folded(LINES).summary());
    }
  });

  it("shows what can be found", () => {
    const chat = patched.formats.find(({ name }) => (name as string) === "chat") as SessionFormat;
    for (const line of LINES.slice(1, 3)) {
      const [part] = chat.parts(line, null);
      const item = chat.item(line, { id: "e1", parentId: null, role: null });
      expect(part?.text).toBe(line.text);
      expect(JSON.stringify(item)).toContain(JSON.stringify(line.text));
      expect(chat.preview(line, 10).length).toBeLessThanOrEqual(10);
    }
  });
});
