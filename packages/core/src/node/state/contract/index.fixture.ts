import { describe } from "vitest";
import { describeBackedUpMarks } from "./backed-up-marks.fixture.ts";
import { describeConfigVersions } from "./config-versions.fixture.ts";
import { describeMarks } from "./marks.fixture.ts";
import { describeNotes } from "./notes.fixture.ts";
import type { StateUnderTest } from "./state-under-test.fixture.ts";
import { describeTags } from "./tags.fixture.ts";
import { describeTokens } from "./tokens.fixture.ts";

export type { StateUnderTest } from "./state-under-test.fixture.ts";

/** Every implementation of the user state is held to this: call it once, and open a state before each test. */
export function describeUserState(under: StateUnderTest): void {
  describe("marks", () => describeMarks(under));
  describe("tags", () => describeTags(under));
  describe("notes", () => describeNotes(under));
  describe("marks in a backup", () => describeBackedUpMarks(under));
  describe("versions of the configuration", () => describeConfigVersions(under));
  describe("tokens", () => describeTokens(under));
}
