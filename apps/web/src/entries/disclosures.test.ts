import { describe, expect, it } from "vitest";
import { Disclosures } from "./disclosures.ts";

describe("Disclosures", () => {
  it("opens one, and all of a kind", () => {
    const disclosures = new Disclosures();
    disclosures.set("tools", "a", true);
    expect([disclosures.isOpen("tools", "a"), disclosures.isOpen("tools", "b")]).toEqual([true, false]);
    disclosures.setAll("tools", true);
    disclosures.set("tools", "a", false);
    expect([disclosures.isOpen("tools", "a"), disclosures.isOpen("tools", "b")]).toEqual([false, true]);
    expect(disclosures.isOpen("thinking", "b")).toBe(false);
    disclosures.setAll("tools", true);
    expect(disclosures.isOpen("tools", "a")).toBe(true);
  });

  it("tells of changes only", () => {
    const told: string[] = [];
    const disclosures = new Disclosures(() => told.push("use"));
    const stop = disclosures.subscribe(() => told.push("change"));
    disclosures.set("tools", "a", false);
    disclosures.set("tools", "a", true);
    stop();
    disclosures.setAll("tools", false);
    expect(told).toEqual(["use", "change", "use"]);
  });
});
