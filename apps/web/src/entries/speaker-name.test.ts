import type { TranscriptItem } from "@sm/core";
import { expect, it } from "vitest";
import { speakerName } from "./speaker-name.ts";

const message = (role: string) => ({ kind: "message", role }) as TranscriptItem;
const BASH = { kind: "bash" } as TranscriptItem;

it.each<[string, TranscriptItem, string | null, string]>([
  ["the user", message("user"), null, "transcript.user"],
  ["what the user has run", BASH, null, "transcript.user"],
  ["another user of the hub", message("user"), "grace", "grace"],
  ["what another user has run", BASH, "grace", "grace"],
  ["an agent of another user", message("assistant"), "grace", "transcript.assistant"],
])("names %s", (_case, item, owner, name) => {
  // The texts of screens are not loaded here: their keys stand for them.
  expect(speakerName(item, owner)).toBe(name);
});
