import { describe, expect, it } from "vitest";
import type { TranscriptItem } from "../../session/transcript.ts";
import { called, INSTRUCTIONS, NESTED, noted, ran, returned, said, summarised, USAGE } from "../transcript.fixture.ts";
import { entryFragments, pageBudget } from "./entries.ts";
import type { EntryFragment } from "./fragment.ts";
import { checkedText } from "./fragment-check.fixture.ts";

const ALL = { include_thinking: true, include_tools: true, labels: {} };

async function fragments(
  items: TranscriptItem[],
  options: { include_thinking?: boolean; include_tools?: boolean; labels?: Record<string, string> } = {},
): Promise<EntryFragment[]> {
  const all: EntryFragment[] = [];
  for await (const fragment of entryFragments(items, { ...ALL, ...options, budget: pageBudget() })) {
    checkedText(fragment.html);
    all.push(fragment);
  }
  return all;
}

async function html(...items: TranscriptItem[]): Promise<string> {
  return (await fragments(items)).map((fragment) => fragment.html).join("\n");
}

const READ = called("call-1", "read", { path: "src/a.ts" });
const LIST = called("call-2", "bash", { command: "ls" });

describe("calls and their results", () => {
  it("puts results into their calls, whatever their order", async () => {
    const [message, ...others] = await fragments([
      said("assistant", [READ, LIST], { id: "m" }),
      returned("call-2", "second", { id: "r2" }),
      returned("call-1", "first", { id: "r1" }),
    ]);
    expect(others).toEqual([]);
    expect(checkedText(message?.html ?? "")).toMatch(/read src\/a\.ts.*first.*bash ls.*second/s);
    expect(message?.html).toMatch(/id="e-m".*id="e-r1".*id="e-r2"/s);
  });

  it("waits over notes for a result, but over nothing else", async () => {
    const ids = async (between: TranscriptItem) => {
      const items = [said("assistant", [READ], { id: "m" }), between, returned("call-1", "late", { id: "r" })];
      return (await fragments(items)).map(({ id }) => id);
    };
    expect(await ids({ ...noted("label"), id: "n" })).toEqual(["m", "n"]);
    expect(await ids(said("user", ["Stop"], { id: "u" }))).toEqual(["m", "u", "r"]);
    expect(await ids(returned("call-9", "?", { id: "x" }))).toEqual(["m", "x", "r"]);
  });

  it("waits for a result over a bounded number of notes", async () => {
    const notes = Array.from({ length: 100 }, (_, at) => ({ ...noted("custom"), id: `n${at}` }));
    let taken = 0;
    const items = function* () {
      for (const item of [said("assistant", [READ], { id: "m" }), ...notes]) {
        taken++;
        yield item;
      }
    };
    const stream = entryFragments(items(), { ...ALL, budget: pageBudget() });
    expect((await stream.next()).value).toMatchObject({ id: "m" });
    expect(taken).toBeLessThan(40);
    await stream.return(undefined);
  });

  it("keeps every result of one call, and calls without an id or with the same one", async () => {
    const twin = called("call-1", "read", { path: "b.ts" });
    const nameless = called(null, "read", { path: "c.ts" });
    const [message, lone] = await fragments([
      said("assistant", [READ, twin, nameless], { id: "m" }),
      returned("call-1", "one"),
      returned("call-1", "two", { id: "r2" }),
      returned(null, "three", { id: "r3" }),
    ]);
    expect(checkedText(message?.html ?? "")).toMatch(/a\.ts.*one.*two.*b\.ts.*c\.ts/s);
    expect(checkedText(lone?.html ?? "")).toContain("three");
  });

  it("shows a result whose call is not in the run", async () => {
    const [lone] = await fragments([returned("gone", "alone", { id: "r", tool_name: "grep" })]);
    expect(lone?.html).toMatch(/^<article class="entry entry-tool" id="e-r">/);
    expect(checkedText(lone?.html ?? "")).toMatch(/grep.*alone/s);
  });
});

describe("what is selected", () => {
  const MESSAGE = said("assistant", [{ kind: "thinking", text: "Hm.", redacted: false }, READ], { id: "m" });

  it.each([
    [{ include_thinking: false }, /read/, /Hm/],
    [{ include_tools: false }, /Hm/, /read|ls|done/],
  ])("%j", async (options, present, absent) => {
    const items = [MESSAGE, returned("call-1", "done"), ran("ls", "done")];
    const text = (await fragments(items, options)).map((fragment) => checkedText(fragment.html)).join("");
    expect(text).toMatch(present);
    expect(text).not.toMatch(absent);
  });

  it("shows no message of which nothing is left, but one that was empty", async () => {
    expect(await fragments([MESSAGE], { include_thinking: false, include_tools: false })).toEqual([]);
    expect(checkedText(await html(said("assistant", [])))).toContain("Empty message");
  });
});

describe("messages", () => {
  it("names a speaker once in a turn", async () => {
    const text = await html(
      said("assistant", ["One"]),
      noted("custom"),
      said("assistant", ["Two"]),
      said("user", ["Three"]),
      said("assistant", ["Four"]),
    );
    expect(text.match(/<h3>\w+<\/h3>/g)).toEqual(["<h3>Assistant</h3>", "<h3>User</h3>", "<h3>Assistant</h3>"]);
  });

  it("says model and day when they change", async () => {
    const at = (timestamp: string, model: string) => said("assistant", ["x"], { timestamp, provider: "p", model });
    const text = await html(
      at("2026-05-01T12:00:01.000Z", "a"),
      at("2026-05-01T12:01:00.000Z", "a"),
      at("2026-05-02T00:00:00.000Z", "b"),
    );
    expect(text.match(/<time[^>]*>[^<]*/g)?.map((time) => time.replace(/.*>/, ""))).toEqual([
      "2026-05-01 12:00",
      "12:01",
      "2026-05-02 00:00",
    ]);
    expect(text.match(/class="model">[^<]*/g)).toEqual(['class="model">p/a', 'class="model">p/b']);
  });

  it("says what a message has cost", async () => {
    const usage = {
      input_tokens: 1200,
      output_tokens: 34,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      cache_write_1h_tokens: 0,
      reasoning_tokens: 0,
      total_tokens: 1234,
      cost_usd: 0.0123,
      estimated_cost_usd: null,
    };
    const text = checkedText(await html(said("assistant", ["x"], { usage })));
    expect(text).toContain("1,234 tokens");
    expect(text).toContain("$0.012");
  });

  it("keeps the line ends of what was typed, and joins those of an answer", async () => {
    expect(await html(said("user", ["a\nb"]))).toContain("<p>a<br>\nb</p>");
    expect(await html(said("assistant", ["a\nb"]))).toContain("<p>a\nb</p>");
  });

  it.each([
    ["hidden", said("custom", ["secret"], { hidden: true }), /Hidden message.*secret/s],
    ["instructions", said("system", ["Be good"]), /Instructions for the model.*Be good/s],
    ["thinking", said("assistant", [{ kind: "thinking", text: "Hm", redacted: false }]), /Thinking.*Hm/s],
    ["redacted thinking", said("assistant", [{ kind: "thinking", text: "", redacted: true }]), /Withheld/],
    ["an unknown block", said("user", [{ kind: "raw", value: { type: "video" } }]), /"type": "video"/],
    ["length", said("assistant", ["x"], { stop_reason: "length" }), /Cut off at the token limit/],
    ["abort", said("assistant", [], { stop_reason: "aborted", error_message: "by <user>" }), /Aborted: by <user>/],
    ["error", said("assistant", [], { error_message: "529" }), /Error: 529/],
    ["unknown reason", said("assistant", ["x"], { stop_reason: "constructor" }), /x$/],
  ])("shows %s", async (_, item, expected) => {
    expect(checkedText(await html(item)).trim()).toMatch(expected);
  });

  it("closes what is not meant for people", async () => {
    const text = await html(said("custom", ["secret"], { hidden: true }), said("system", ["Be good"]));
    expect(text.match(/<details class="aside">/g)).toHaveLength(2);
    expect(text).not.toMatch(/<details[^>]* open/);
  });
});

describe("other entries", () => {
  it.each([
    ["model_change", { provider: "openai", modelId: "gpt" }, "Model: openai/gpt"],
    ["model_change", {}, "Model: unknown"],
    ["thinking_level_change", { thinkingLevel: "high" }, "Thinking level: high"],
    ["session_info", { name: "A <b>" }, "Session named “A <b>”"],
    ["session_info", {}, "Session name removed"],
    ["label", { targetId: "t", label: "here" }, "Bookmark “here” on an entry"],
    ["label", { targetId: "t" }, "Bookmark removed from an entry"],
    ["label", {}, "Entry of type label"],
    ["custom", { customType: "state" }, "Extension data: state"],
    ["brand_new<", { x: 1 }, "Entry of type brand_new<"],
  ])("%s %j", async (type, value, expected) => {
    const item = { ...noted(type), value: { type, ...value } };
    expect(checkedText(await html(item))).toContain(expected);
  });

  it("leaves out what the agent's client notes for itself", async () => {
    expect(await html({ ...noted("turn_duration"), hidden: true })).not.toContain("turn_duration");
  });

  it.each([
    [ran("make", "done\n"), /\$ make.*exit code 0.*done/s],
    [ran("make", "", { exit_code: 2 }), /exit code 2.*No output/s],
    [ran("make", "", { exit_code: null, cancelled: true }), /cancelled/],
    [
      ran("make", "…", { truncated: true, full_output_path: "/tmp/\u202eout" }),
      /truncated this output\..*Full output: \/tmp\/⟦U\+202E⟧out/,
    ],
    [summarised("compaction", "All of it"), /Compaction.*All of it/s],
    [summarised("branch", ""), /another branch.*Empty summary/s],
  ])("%#", async (item, expected) => {
    expect(checkedText(await html(item))).toMatch(expected);
  });

  it("puts labels on entries and on results", async () => {
    const [message] = await fragments(
      [said("assistant", [READ], { id: "constructor" }), returned("call-1", "x", { id: "r" })],
      { labels: { r: "look <here>" } },
    );
    expect(checkedText(message?.html ?? "").match(/Bookmark: /g)).toHaveLength(1);
    expect(checkedText(message?.html ?? "")).toContain("look <here>");
  });
});

describe("prompts", () => {
  it.each([
    [said("user", ["Fix\n it", { kind: "image", mime_type: "image/png", data: "" }, "now"]), "Fix it now"],
    [said("user", [{ kind: "image", mime_type: "image/png", data: "" }]), "Prompt without text"],
    [said("user", ["x"], { hidden: true }), null],
    [said("assistant", ["x"]), null],
    [ran("ls", ""), null],
  ])("%#", async (item, expected) => {
    const [fragment] = await fragments([item]);
    expect(fragment?.prompt).toBe(expected);
  });

  it("are bounded", async () => {
    const [fragment] = await fragments([said("user", ["word ".repeat(100_000)])]);
    expect(fragment?.prompt?.length).toBeLessThanOrEqual(200);
  });
});

describe("what newer agents record", () => {
  const text = async (...items: TranscriptItem[]) => checkedText(await html(...items));

  it("folds instructions under a line that tells what they hold", async () => {
    const system = await html(said("system", INSTRUCTIONS));
    expect(system).toContain(
      "<summary>Instructions for the model: 1 section, 1 section removed, 1 tool added, 1 tool removed</summary>",
    );
    expect(checkedText(system)).toMatch(
      /preamble.*Be brief.*skills \(removed\).*Tool added: read.*Tool removed: write/s,
    );
  });

  it("shows the calls of a script beneath its call, each as a call", async () => {
    const call = called("call-1", "codemode");
    const shown = await html(said("assistant", [call]), returned("call-1", "done", { id: "r", nested_calls: NESTED }));
    expect(checkedText(shown)).toMatch(
      /codemode.*done.*3 nested calls, recorded incompletely.*read src\/nested\.ts.*3 ms.*mcp__web__fetch.*failed, 1,200 ms.*9,000 bytes.*not found.*sleep 9.*not finished/s,
    );
    expect(shown.match(/<details class="call"/g)).toHaveLength(4);
    expect(shown).not.toContain("Nothing recorded");
  });

  it("marks what the model sees otherwise, with what it sees", async () => {
    const gone = { context_edit: { entry_id: "edit", replacement: null } };
    expect(await text(said("user", ["long"], gone))).toMatch(/long.*The model no longer sees this, since this entry/s);
    const shown = await html(
      said("assistant", ["words", READ], {
        context_edit: { entry_id: "edit", replacement: [{ kind: "text", text: "in short" }] },
      }),
      returned("call-1", "first", { id: "r", ...gone }),
    );
    expect(checkedText(shown)).toMatch(/words.*The model sees other content here.*in short/s);
    expect(shown).toMatch(/<summary>.*hidden from the model.*<\/summary>.*first.*The model no longer sees this/s);
    expect(shown).toContain('href="#e-edit"');
  });

  it("tells the entry that changes what the model sees, and requests that are no conversation, as notes", async () => {
    const edit = (replacement: object | null) => ({
      ...noted("context_edit"),
      value: { type: "context_edit", targetId: "t", replacement: replacement as null },
    });
    expect(await text(edit(null))).toContain("From here on the model no longer sees an entry");
    expect(await text(edit({ content: "x" }))).toContain(
      "From here on the model sees other content in place of an entry",
    );
    const usage = (kind: string, note: string) => ({
      ...noted("usage"),
      value: { type: "usage", kind, note },
      usage: USAGE,
    });
    expect(await text(usage("cache_warm", ""))).toContain("Cache kept warm · 400 tokens $0.25");
    expect(await text(usage("title", "of the session"))).toContain("Usage: title (of the session) · 400 tokens $0.25");
  });

  it("shows usage wherever there is some", async () => {
    expect(await text(summarised("branch", "tried", { usage: USAGE }))).toContain("400 tokens");
    expect(await html(said("assistant", [READ]), returned("call-1", "first", { id: "r", usage: USAGE }))).toMatch(
      /<summary>.*400 tokens.*\$0\.25.*<\/summary>/,
    );
  });

  it("tells of a compaction that nothing is kept, and folds the instructions that it repeats", async () => {
    const compaction = await html(
      summarised("compaction", "All of it.", { keeps_nothing: true, checkpoint: INSTRUCTIONS.slice(0, 1) }),
    );
    expect(checkedText(compaction)).toContain("Nothing before this summary is kept");
    expect(compaction).toContain("<summary>Instructions for the model at this point: 1 section</summary>");
  });

  it("tells the model that answered, where it is another, and why an answer ended", async () => {
    const answer = { provider: "p", model: "auto", thinking_level: "max" };
    expect(await text(said("assistant", ["a"], { ...answer, response_model: "model-9" }))).toContain(
      "p/auto → model-9",
    );
    expect(await text(said("assistant", ["a"], { ...answer, response_model: "auto" }))).not.toContain("→");
    expect(await text(said("assistant", ["a"], { stop_reason: "deferred" }))).toContain(
      "Deferred: the provider responds later",
    );
    expect(await text(said("assistant", ["a"], { stop_reason: "pending" }))).toContain("Incomplete");
  });

  it.each([
    ["aborted", true],
    ["deferred", true],
    ["pending", true],
    ["length", false],
    ["error", false],
  ])("shows the ending %s quietly: %s", async (stop_reason, isQuiet) => {
    const shown = await html(said("assistant", ["a"], { stop_reason }));
    expect(shown).toContain(`<p class="ending${isQuiet ? " quiet" : ""}">`);
  });
});
