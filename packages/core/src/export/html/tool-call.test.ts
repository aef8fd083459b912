import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import { called, returned } from "../transcript.fixture.ts";
import { pageBudget } from "./budget.ts";
import { checkedText } from "./fragment-check.fixture.ts";
import { toolArguments } from "./tool-arguments.ts";
import { callHtml } from "./tool-call.ts";

const PAGE = () => ({ labels: {}, budget: pageBudget(), subagents: new Map() });

function call(name: string, args: JsonObject, ...results: ReturnType<typeof returned>[]): string {
  const block = called("c", name);
  if (block.kind !== "tool_call") throw new Error("no call");
  const html = callHtml({ ...block, arguments: args }, results, PAGE());
  checkedText(html);
  return html;
}

function summary(html: string): string {
  return checkedText(/<summary>(.*?)<\/summary>/s.exec(html)?.[1] ?? "");
}

describe("the line of a call", () => {
  it.each([
    ["read", { path: "src/a.ts" }, "read src/a.ts"],
    ["read", { path: "src/a.ts", offset: 10, limit: 50 }, "read src/a.ts:10–59"],
    ["Read", { file_path: "/x/a.ts", offset: 3 }, "Read /x/a.ts:3–"],
    ["view", { filePath: "a\u202e.ts" }, "view a⟦U+202E⟧.ts"],
    ["bash", { command: "npm test\n\necho" }, "bash npm test echo"],
    ["shell", { command: ["bash", "-lc", "ls"] }, "shell bash -lc ls"],
    ["grep", { pattern: "a.*b", path: "src" }, "grep a.*b in src"],
    ["fetch", { url: "https://a.b" }, "fetch https://a.b"],
    ["search", { query: "q" }, "search q"],
    ["task", { description: "Look", prompt: "Look\nwell" }, "task Look"],
    ["other", { x: 1 }, "other"],
    [" ", {}, "unnamed tool"],
  ])("%s %j", (name, args, line) => {
    expect(summary(call(name, args))).toBe(line);
  });

  it.each([
    [returned("c", "a\nb\n"), "2 lines"],
    [returned("c", "a"), "1 line"],
    [returned("c", ""), ""],
    [returned("c", "no", { is_error: true }), "failed"],
    [returned("c", "ok", { diff: "-1 a\n+1 b\n+2 c" }), "+2 −1"],
  ])("says how it went: %#", (result, status) => {
    expect(summary(call("x", {}, result))).toBe(`x${status}`);
  });
});

it("says how many lines were written to a file, not how many the answer has", () => {
  const written = { path: "a.txt", content: "line\n".repeat(10) };
  expect(summary(call("write", written, returned("c", "Wrote 50 bytes to a.txt")))).toBe("write a.txt+10");
  expect(summary(call("write", written, returned("c", "EACCES", { is_error: true })))).toBe("write a.txtfailed");
});

describe("what belongs to a call", () => {
  it("highlights a file that was read by its extension, but no error", () => {
    const highlighted = '<span class="hljs-keyword">let</span>';
    expect(call("read", { path: "a.ts" }, returned("c", "let a;"))).toContain(highlighted);
    expect(call("read", { path: "a.ts" }, returned("c", "let a;", { is_error: true }))).not.toContain(highlighted);
    expect(call("stat", { path: "a.ts" }, returned("c", "let a;"))).not.toContain(highlighted);
  });

  it("highlights what is written, and commands", () => {
    expect(call("write", { path: "a.ts", content: "let a;" })).toContain('<span class="hljs-keyword">let</span>');
    expect(call("bash", { command: "echo 'x'" })).toContain('class="hljs-');
  });

  it("colours the output of a command", () => {
    expect(call("bash", { command: "x" }, returned("c", "\x1b[31mred"))).toContain('<span class="ansi-red">red</span>');
  });

  it.each([
    { path: "a.ts", oldText: "one\ntwo", newText: "one\n2" },
    { file_path: "a.ts", old_string: "two", new_string: "2" },
    { path: "a.ts", edits: [{ oldText: "two", newText: "2" }] },
    { input: "*** Begin Patch\n-two\n+2\n*** End Patch" },
  ])("shows an edit as a diff: %j", (args) => {
    const html = call("edit", args);
    expect(html).toContain("<del>- two\n</del><ins>+ 2\n</ins>");
    expect(summary(html)).toMatch(/\+1 −1$/);
  });

  it("prefers the diff that the tool recorded", () => {
    const args = { path: "a.ts", oldText: "two", newText: "2" };
    const html = call("edit", args, returned("c", "Done", { diff: "-12 two\n+12 2" }));
    expect(html).toContain("<ins><b>12 </b>+ 2\n</ins>");
    expect(html.match(/<ins>/g)).toHaveLength(1);
    expect(checkedText(html)).toContain("Done");
  });

  it("shows all other arguments, and what is cut in the line", () => {
    const query = `${"long ".repeat(100)}end`;
    const args = { query, limit: 3, exact: true, none: null, text: "a\nb", options: { deep: [1] } };
    const text = checkedText(call("search", args));
    for (const shown of [query, "limit3", "exacttrue", "nonenull", "a\nb", '"deep"']) expect(text).toContain(shown);
  });

  it("shows an edit that has more to it than a diff as data", () => {
    const args = { path: "a", edits: [{ oldText: "x", newText: "y", all: true }] };
    expect(checkedText(call("edit", args))).toContain('"all": true');
  });

  it("shows what a tool recorded beside its text, once", () => {
    const details = { diff: "+1 a", firstChangedLine: 1, truncation: { lines: 3 } };
    const text = checkedText(call("edit", {}, returned("c", "ok", { diff: "+1 a", details })));
    expect(text).toContain('"truncation"');
    expect(text).not.toContain('"diff"');
  });
});

describe("toolArguments", () => {
  it("loses nothing", () => {
    const names = ["path", "file", "command", "pattern", "query", "content", "oldText", "patch", "offset", "other"];
    const args = Object.fromEntries(names.map((name, at) => [name, `value ${at}`]));
    const all = JSON.stringify(toolArguments(args));
    for (const value of Object.values(args)) expect(all).toContain(value);
  });
});
