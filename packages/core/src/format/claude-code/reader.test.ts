import { expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import type { SessionSoFar } from "../format.ts";
import { claudeReader } from "./reader.ts";

const EMPTY: SessionSoFar = { header: null, newestId: null, has: () => false };

/** The largest state after any of the records that are made. */
function largestState(count: number, recordOf: (place: number) => JsonObject): number {
  const reader = claudeReader(null);
  let largest = 0;
  for (let place = 0; place < count; place++) {
    reader.read(recordOf(place), EMPTY);
    if (place % 500 === 0) largest = Math.max(largest, JSON.stringify(reader.state).length);
  }
  return largest;
}

function answer(place: number, { id, call }: { id: string; call: string }): JsonObject {
  const usage = { input_tokens: 1, output_tokens: place };
  const content = [{ type: "tool_use", id: call, name: "Bash", input: {} }];
  const message = { id, model: "claude-opus-4-8", role: "assistant", content, usage };
  return { type: "assistant", uuid: `u${place}`, requestId: `req_${id}`, message };
}

it("keeps a state of a few KiB after 20,000 answers without results", () => {
  const idOf = (place: number) => `${place}`.padStart(28, "0");
  expect(largestState(20_000, (place) => answer(place, { id: idOf(place), call: idOf(place) }))).toBeLessThan(6_144);
});

it("keeps neither long IDs nor long titles", () => {
  const long = "x".repeat(10_000);
  const answers = largestState(1_001, (place) => answer(place, { id: long + place, call: long + place }));
  const summaries = largestState(1_001, (place) => ({ type: "summary", leafUuid: `leaf ${place}`, summary: long }));
  const leaves = largestState(1_001, (place) => ({ type: "summary", leafUuid: long + place, summary: "a" }));
  const names = largestState(1_001, (place) => ({ type: "custom-title", customTitle: long + place, sessionId: "a" }));
  expect(Math.max(answers, summaries, leaves, names)).toBeLessThan(9_000);
});
