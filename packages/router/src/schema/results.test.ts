import type { SearchPage, SessionPage, SessionRecord, TreeEntry } from "@sm/core";
import { describe, expectTypeOf, it } from "vitest";
import type { sessionCommands } from "../commands/sessions.ts";
import type { transcriptCommands } from "../commands/transcripts.ts";
import type * as v from "./json.ts";
import type { searchPage } from "./search-page.ts";
import type { sessionRecord } from "./session-record.ts";

// The compiler does the checking; the same schemas are held against answers in the conformance suite.
describe("schemas of results", () => {
  it("equal the types of the core", () => {
    expectTypeOf<v.InferOutput<typeof sessionRecord>>().toEqualTypeOf<SessionRecord>();
    expectTypeOf<v.InferOutput<typeof searchPage>>().toEqualTypeOf<SearchPage>();
    expectTypeOf<v.InferOutput<typeof sessionCommands.list_sessions.output>>().toEqualTypeOf<SessionPage>();
    expectTypeOf<v.InferOutput<typeof transcriptCommands.read_session_tree.output>>().toEqualTypeOf<TreeEntry[]>();
  });
});
