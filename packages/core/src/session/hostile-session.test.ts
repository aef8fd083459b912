import { describe, expect, it } from "vitest";
import type { FoldState } from "./fold-state.ts";
import { MAX_MODELS, SessionFold } from "./session-fold.ts";

const ENTRIES = 100_000;
const TIME = "2026-11-21T03:07:38.373Z";

/** A list of 50 names is looked through for the model of an entry, and one for its provider, until both are full. */
const MAX_STEPS = 20;

interface Names {
  id: string;
  parentId: string | null;
  model?: string;
}

const id = (n: number) => (0x10000000 + n).toString(16);

const SESSIONS: [name: string, entry: (n: number, count: number) => Names][] = [
  ["orphans", (n) => ({ id: id(n), parentId: `missing-${n}` })],
  ["orphans whose parents are numbers", (n) => ({ id: id(n), parentId: String(4_000_000_000 - 7 * n) })],
  // 7,919 divides neither count, so that each entry is the parent of one other.
  ["permuted parents", (n, count) => ({ id: id(n), parentId: id((n * 7_919 + 1) % count) })],
  ["parents in reverse", (n) => ({ id: id(n), parentId: id(n + 1) })],
  ["a model in each message", (n) => ({ id: id(n), parentId: n === 0 ? null : id(n - 1), model: `model-${n}` })],
];

/**
 * Folds a session, and counts the keys and elements of its state that are listed, looked at or changed on the way.
 *
 * @throws where they are more than {@link MAX_STEPS} for an entry: there is no waiting for the end of quadratic work.
 */
function foldOf(entry: (n: number, count: number) => Names, count: number): { fold: SessionFold; steps: number } {
  let steps = 0;
  const took = (more: number) => {
    steps += more;
    if (steps > MAX_STEPS * count) throw new Error(`${steps} steps for ${count} entries`);
  };
  const counted = <T extends object>(target: T): T =>
    new Proxy(target, {
      ownKeys(of) {
        const keys = Reflect.ownKeys(of);
        took(keys.length);
        return keys;
      },
      ...Object.fromEntries(
        (["get", "set", "has", "getOwnPropertyDescriptor", "defineProperty", "deleteProperty"] as const).map((trap) => [
          trap,
          (...given: unknown[]) => {
            took(1);
            return Reflect.apply(Reflect[trap], Reflect, given);
          },
        ]),
      ),
    });
  const plain = new SessionFold();
  const state: FoldState = {
    ...plain.state,
    missing_parents: counted(plain.state.missing_parents),
    models: counted(plain.state.models),
    providers: counted(plain.state.providers),
    named_models: counted(plain.state.named_models),
  };
  const fold = new SessionFold({ state, outline: plain.outline, activity: plain.activity });
  fold.add({ type: "session", version: 3, id: "s", timestamp: TIME, cwd: "/code" }, 0, 99);
  for (let n = 0; n < count; n++) {
    const { model = "m", ...names } = entry(n, count);
    const message = { role: "assistant", model, provider: `of ${model}`, content: [{ type: "text", text: "x" }] };
    fold.add({ type: "message", ...names, timestamp: TIME, message }, (n + 1) * 100, 99);
  }
  return { fold, steps };
}

describe.each(SESSIONS)("a session of %s", (_name, entry) => {
  it("takes the same work for each entry, however many there are", () => {
    const few = foldOf(entry, ENTRIES / 10).steps;
    const all = foldOf(entry, ENTRIES).steps;
    expect(few).toBeGreaterThan(0);
    expect(all / few).toBeLessThan(10.5);
  }, 60_000);
});

describe("a session with a model in each message", () => {
  it("names the first 50 models and providers in its record, and counts for all", () => {
    const entry = (SESSIONS.at(-1) as (typeof SESSIONS)[number])[1];
    const { fold } = foldOf(entry, 1_000);
    const record = fold.record({ path: "/sessions/a.jsonl", size: 10, modifiedAt: 1_000 });
    expect(record.models).toEqual(Array.from({ length: MAX_MODELS }, (_, n) => `model-${n}`));
    expect(record.providers).toEqual(Array.from({ length: MAX_MODELS }, (_, n) => `of model-${n}`));
    expect(record.assistant_message_count).toBe(1_000);
    expect(fold.state.named_models).toHaveLength(1_000);
  });
});
