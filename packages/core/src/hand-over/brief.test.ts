import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { called, returned, said, summarised } from "../export/transcript.fixture.ts";
import type { TranscriptItem } from "../session/transcript.ts";
import { BRIEF_LENGTH, HandOverBrief } from "./brief.ts";

const SESSION = {
  id: "0b3f7c52-6f0e-4d9c-9a54-3c1d2e4f5a60",
  title: "Tide clock",
  cwd: "/home/ada/tide",
  message_count: 12,
  created_at: "2026-06-01T10:00:00.000Z",
  modified_at: "2026-06-02T11:30:00.000Z",
  format: "claude-code",
  first_message: "Make the clock show the tide.",
} as const;

function briefOf(items: readonly TranscriptItem[]): string {
  const brief = new HandOverBrief(SESSION);
  for (const [place, item] of [...items.entries()].toReversed()) brief.add({ ...item, id: `e${place + 1}` });
  return brief.text();
}

/** The lines of a section. */
function section(brief: string, name: string): string {
  const [, text = ""] = new RegExp(`^## ${name}[^\\n]*\\n\\n(.*?)(?=\\n\\n## |$(?![\\s\\S]))`, "ms").exec(brief) ?? [];
  return text;
}

const WORKED = [
  said("user", ["Make the clock show the tide.\nIn metres."]),
  said("assistant", ["I look at it.", called("1", "Read", { file_path: "/home/ada/tide/clock.ts" })]),
  returned("1", "export {}"),
  said("assistant", [
    "We use harmonic constants instead of a table, because tables end.",
    called("2", "Edit", { file_path: "/home/ada/tide/clock.ts" }),
  ]),
  returned("2", "done", { diff: "-a\n+b\n+c" }),
  said("assistant", [called("3", "bash", { command: "npm test" })]),
  returned("3", "1 failed: tide.test.ts", { is_error: true }),
  said("user", ["Also in feet."]),
  said("assistant", [
    {
      kind: "tool_call",
      id: "4",
      name: "TodoWrite",
      arguments: {
        todos: [
          { content: "feet", status: "pending" },
          { content: "metres", status: "completed" },
        ],
      },
    },
    "Metres work; feet are next.",
  ]),
  returned("4", "ok"),
  said("user", ["Then the moon."]),
];

describe("a brief", () => {
  const brief = briefOf(WORKED);

  it.each([
    ["Goal", "Prompt 1 (#e1):\n\n> Make the clock show the tide.\n> In metres."],
    ["Asked since", "- Then the moon. (#e11)\n- Also in feet. (#e8)"],
    ["Decisions", "- We use harmonic constants instead of a table, because tables end. (#e4)"],
    ["Files", "Changed, the last one first:\n\n- `clock.ts` (+2 −1, 1 change)"],
    ["Failed calls", "- bash: npm test (not seen to succeed since): 1 failed: tide.test.ts (#e7)"],
    ["State", "The last answer (#e9):\n\n> Metres work; feet are next."],
    ["Open ends", "- The last prompt (#e11) has no answer yet.\n- [ ] feet\n- [x] metres"],
  ])("tells of: %s", (name, text) => {
    expect(section(brief, name)).toContain(text);
  });

  it("says which session it is of, and how to look further", () => {
    expect(brief).toContain("# Hand-over: Tide clock\n");
    expect(brief).toContain("a session of Claude Code (12 messages");
    expect(section(brief, "Look further")).toContain(SESSION.id);
    expect(brief).not.toContain("/home/ada");
  });

  it("begins like no option of a program", () => {
    expect(briefOf([]).startsWith("# ")).toBe(true);
  });

  it("of a session that was compacted has the newest summary", () => {
    const items = [
      said("user", ["Go on with it."]),
      summarised("compaction", "Old."),
      summarised("compaction", "The clock runs."),
    ];
    expect(section(briefOf(items), "Summary of earlier work")).toBe("> The clock runs.");
  });

  it("takes no code for a decision", () => {
    const answer = "We go with a table here.\n\n```sh\necho we decided nothing in this script\n```\n";
    expect(section(briefOf([said("assistant", [answer])]), "Decisions")).toBe("- We go with a table here. (#e1)");
  });

  it("takes no point in a name or a number for the end of a sentence", () => {
    const answer = "We use settings.json instead of v1.5 of it. More follows.";
    expect(section(briefOf([said("assistant", [answer])]), "Decisions")).toBe(
      "- We use settings.json instead of v1.5 of it. (#e1)",
    );
  });

  it("says that the last answer failed", () => {
    const items = [said("user", ["Do it."]), said("assistant", [], { error_message: "overloaded" })];
    expect(section(briefOf(items), "Open ends")).toBe(
      "- The last prompt (#e1) has no answer yet.\n- The last answer failed: overloaded",
    );
  });

  it("takes the next prompts for the goal where the first says little", () => {
    const long =
      "Make the clock show the tide, the moon and the weather, in metres and in feet, with tests for all of these.";
    expect(section(briefOf([said("user", ["Hi"]), said("assistant", ["Hello"]), said("user", [long])]), "Goal")).toBe(
      `Prompt 1 (#e1):\n\n> Hi\n\nPrompt 2 (#e3):\n\n> ${long}`,
    );
  });

  it("has no secrets, and no characters that are not seen", () => {
    const token = ["ghp", "0123456789abcdefghijklmnopqrstuvwxyz"].join("_");
    const hidden = `Use ${token}\u202e\u200b\u001b[2J now instead of the old one.`;
    const brief = briefOf([said("user", [hidden]), said("assistant", [`I decided to keep ${token} in the file.`])]);
    expect(brief).not.toContain(token);
    expect(brief).toContain("[redacted:github-token-1]");
    for (const unseen of ["\u202e", "\u200b", "\u001b"]) expect(brief).not.toContain(unseen);
  });

  it.each([
    ["a soft hyphen", "\u00ad"],
    ["a zero width space", "\u200b"],
    ["a control character", "\u0001"],
    ["a tag", "\u{e0041}"],
  ])("knows a secret with %s in it", (_, unseen) => {
    const [head, tail] = [["ghp", "0123456789abcd"].join("_"), "efghijklmnopqrstuvwxyz"];
    const split = head + unseen + tail;
    const brief = briefOf([
      said("user", [`Use ${split} now instead of the old one.`]),
      said("assistant", ["I do.", called("1", "bash", { command: `curl ${split}` })]),
      returned("1", `no ${split}`, { is_error: true }),
    ]);
    expect(brief).not.toContain(head);
    expect(brief).not.toContain(unseen);
  });

  it("of long runs of empty lines takes no time that grows with their square", () => {
    const answer = `We decided to use this.${"\n".repeat(19_000)}`;
    expect(briefOf(Array.from({ length: 300 }, () => said("assistant", [answer])))).toContain("We decided");
  });
});

it("any session has a brief within the budget, whose quotes stay quotes", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 3_000 }),
    fc.constantFrom("## Goal\n# Other", "a\n\n## State\n\nb", "decided to go with x. ".repeat(400)),
  );
  const item = fc.oneof(
    text.map((prompt) => said("user", [prompt])),
    fc
      .tuple(text, text)
      .map(([answer, path]) => said("assistant", [answer, called("1", "write", { path, content: answer })])),
    text.map((output) => returned("1", output, { is_error: true })),
    text.map((summary) => summarised("compaction", summary)),
  );
  fc.assert(
    fc.property(fc.array(item, { maxLength: 40 }), (items) => {
      const brief = briefOf(items);
      expect(brief.length).toBeLessThanOrEqual(BRIEF_LENGTH);
      const heads = brief.split("\n").filter((line) => line.startsWith("#"));
      expect(heads.filter((line) => line.startsWith("# "))).toHaveLength(1);
      expect(new Set(heads).size).toBe(heads.length);
    }),
    { numRuns: 100 },
  );
});
