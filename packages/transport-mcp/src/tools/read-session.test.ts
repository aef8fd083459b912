import { describe, expect, it } from "vitest";
import type { SendCommand } from "../commands.ts";
import { readSession } from "./read-session.ts";

const message = (id: string, text: string) => ({
  kind: "message",
  id,
  parent_id: null,
  timestamp: null,
  role: "user",
  hidden: text === "",
  error_message: null,
  blocks: [{ kind: "text", text }],
});

type Entry = ReturnType<typeof message>;

/** Entries that nobody is told of. */
const hidden = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => message(`${name}${index}`, ""));

/** Reads a session by its cursors to their end: the entries of each answer, their texts, and the pages read for it. */
async function readAll(items: readonly Entry[], args: object) {
  let pages = 0;
  const send: SendCommand = async (command, payload) => {
    if (command === "list_sessions") return { sessions: [record] };
    pages++;
    const { limit, ...asked } = payload as { limit: number; after?: string; before?: string; leaf_id?: string };
    const place = (id: string) => items.findIndex((item) => item.id === id);
    const from = asked.after === undefined ? 0 : place(asked.after) + 1;
    const to =
      asked.before !== undefined
        ? place(asked.before)
        : asked.leaf_id !== undefined
          ? place(asked.leaf_id) + 1
          : items.length;
    const range = items.slice(from, to);
    return {
      items: asked.after === undefined ? range.slice(-limit) : range.slice(0, limit),
      leaf_id: items.at(-1)?.id ?? null,
      total: items.length,
      has_more_before: range.length > limit,
      has_more_after: range.length > limit,
    };
  };
  const answers: string[][] = [];
  const reads: number[] = [];
  let texts = "";
  for (let next: object | null = args; next !== null && answers.length < 20; ) {
    const { text, data } = await readSession.run(
      { ref: "long", ...next },
      { send, ownSession: null, redacts: true, now: Date.now },
    );
    reads.push(pages);
    pages = 0;
    const { entries, next_cursor } = data as { entries: { entry_id: string }[]; next_cursor?: string };
    answers.push(entries.map(({ entry_id }) => entry_id));
    texts += text;
    next = next_cursor === undefined ? null : { ...args, cursor: next_cursor };
  }
  return { answers, texts, reads };
}

const record = {
  id: "long",
  path: "/long.jsonl",
  format: "pi",
  title: "Long",
  cwd: null,
  created_at: "2026-03-01T10:00:00.000Z",
  modified_at: "2026-03-01T10:00:00.000Z",
  message_count: 1,
  usage: { cost_usd: 0, estimated_cost_usd: null },
  models: [],
  archived_at: null,
  first_message: null,
};

describe("entries without a text are passed over", () => {
  const first = message("first", "The beginning");
  const middle = message("middle", "The middle");
  const last = message("last", "The end");
  it.each<[string, Entry[], object, string[][]]>([
    ["at the end", [first, ...hidden("h", 450)], {}, [[], [], ["first"]]],
    ["before others", [first, ...hidden("h", 250), last], {}, [["last"], ["first"]]],
    ["behind one", [first, ...hidden("h", 450), last], { after: "first" }, [[], [], ["last"]]],
    ["around one", [first, middle, ...hidden("h", 250), last], { around: "middle" }, [["first", "middle"], ["last"]]],
    ["to the very end", [first, ...hidden("h", 30)], { after: "first" }, [[]]],
  ])("%s", async (_case, items, args, expected) => {
    expect((await readAll(items, args)).answers).toEqual(expected);
  });

  it("and it is said that there are more", async () => {
    const { texts } = await readAll([first, ...hidden("h", 250)], {});
    expect(texts).toContain("There are no entries with a text here. Earlier entries with cursor");
  });
});

it.each<[string, object, string[]]>([
  ["from the end", {}, ["first", "last"]],
  ["behind one", { after: "first" }, ["last"]],
  ["when it is asked for", { around: "x".repeat(4_000) }, ["first", "last"]],
])("an entry whose id is longer than an answer is passed over, %s", async (_case, args, expected) => {
  const items = [message("first", "The beginning"), message("x".repeat(4_000), "Too long"), message("last", "The end")];
  const { answers } = await readAll(items, { max_chars: 2_000, ...args });
  expect(answers).toEqual([expected]);
});

it.each<[string, object, number[]]>([
  ["the end", {}, [1]],
  ["what is around an entry", { around: "b" }, [2]],
  ["what is behind one", { after: "b" }, [2]],
  ["what is before one", { before: "b" }, [2]],
])("%s takes few pages of the session", async (_case, args, expected) => {
  const items = [message("a", "The beginning"), message("b", "The middle"), message("c", "The end")];
  expect((await readAll(items, args)).reads).toEqual(expected);
});
