import { describe, expect, it } from "vitest";
import type { Queries } from "../database/database.ts";
import { SessionCounts } from "./session-counts.ts";

describe("sessions of a user", () => {
  it("are counted anew only where their version is another one", async () => {
    let asked = 0;
    const db = {
      execute: async () => {
        asked++;
        return { rows: [{ indexed: "2", unindexed: "1", present: `3 ${asked}` }] };
      },
    } as unknown as Queries;
    const counts = new SessionCounts();
    expect(await counts.of(db, "7")).toMatchObject({ indexed: 2, unindexed: 1, present: "3 1" });
    expect(await counts.of(db, "7")).toMatchObject({ present: "3 1" });
    expect(await counts.of(db, "8")).toMatchObject({ present: "3 2" });
    expect(await counts.of(db, "7")).toMatchObject({ present: "3 3" });
    expect(asked).toBe(3);
  });
});
