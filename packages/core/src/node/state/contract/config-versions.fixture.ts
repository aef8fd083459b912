import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../../json.ts";
import { bundleHash } from "../bundle-hash.ts";
import { KEPT_BYTES } from "../kept-versions.ts";
import type { StateUnderTest } from "./state-under-test.fixture.ts";

/** What holds of versions of the configuration, wherever they are kept. */
export function describeConfigVersions(under: StateUnderTest): void {
  const add = (bundle: JsonObject, origin = "test") => under.state.versions.add({ bundle, origin });

  const storedCount = async () => (await under.state.versions.list()).length;

  describe("versions", () => {
    it("start with none", async () => {
      expect(await under.state.versions.latest()).toBeNull();
    });

    it("are kept as they were given, over a restart", async () => {
      const bundle = { version: 1, server: { z: 1, a: [{ y: null, b: "ü" }] }, preferences: {} };
      const { id, created_at } = await add({ version: 1 });
      const second = await add(bundle, "save_session_paths");
      expect(second.id).not.toBe(id);
      expect(created_at).toMatch(/^\d{4}-.*Z$/);
      await under.reopen();
      const latest = await under.state.versions.latest();
      const { isNew, ...version } = second;
      expect(isNew).toBe(true);
      const size_bytes = JSON.stringify(bundle).length + 1;
      const record = { ...version, origin: "save_session_paths", size_bytes, sha256: bundleHash(bundle) };
      expect(latest).toEqual({ ...record, bundle });
      expect(await under.state.versions.get(version.id)).toEqual({ ...record, bundle });
      expect(await under.state.versions.get("another")).toBeNull();
      expect(await under.state.versions.list()).toEqual([record, expect.objectContaining({ id, origin: "test" })]);
      expect(JSON.stringify(latest?.bundle)).toBe(JSON.stringify(bundle));
    });

    it("are made only when something has changed", async () => {
      const first = await add({ a: 1 });
      expect(await add({ a: 1 }, "another origin")).toEqual({ ...first, isNew: false });
      const changed = await add({ a: 2 });
      expect(changed.id).not.toBe(first.id);
      // What was there before the last one is a change again.
      expect((await add({ a: 1 })).id).not.toBe(first.id);
      expect(await storedCount()).toBe(3);
    });

    it("do not depend on the order of fields, at any depth", async () => {
      const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
      await fc.assert(
        fc.asyncProperty(json, async (generated) => {
          const bundle = JSON.parse(JSON.stringify(generated)) as JsonObject;
          const version = await add(bundle);
          expect(await add(reordered(bundle) as JsonObject)).toEqual({ ...version, isNew: false });
        }),
        { numRuns: 50 },
      );
    });

    it("depend on the order of arrays", async () => {
      expect((await add({ a: [1, 2] })).id).not.toBe((await add({ a: [2, 1] })).id);
    });

    it("are kept to the newest 200", async () => {
      for (let n = 1; n <= 203; n++) await add({ n });
      expect(await storedCount()).toBe(200);
      expect((await under.state.versions.latest())?.bundle).toEqual({ n: 203 });
    });

    it("are kept to so many bytes together, whatever one has the newest", async () => {
      const text = "ü".repeat(KEPT_BYTES / 8);
      const sizes = async () => (await under.state.versions.list()).map(({ size_bytes }) => size_bytes);
      for (let n = 1; n <= 6; n++) await add({ n, text });
      const largest = (await sizes())[0] ?? 0;
      expect(largest).toBeGreaterThan(KEPT_BYTES / 4);
      expect(await sizes()).toEqual([largest, largest, largest]);
      await add({ small: true });
      expect(await sizes()).toEqual([14, largest, largest, largest]);
      await add({ text: "x".repeat(KEPT_BYTES) });
      expect(await storedCount()).toBe(1);
      await add({ small: true });
      expect((await under.state.versions.latest())?.bundle).toEqual({ small: true });
      expect(await storedCount()).toBe(1);
    });
  });
}

/** The same value with the fields of all objects in the opposite order. */
function reordered(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reordered);
  if (value === null || typeof value !== "object") return value;
  const fields = Object.entries(value).map(([name, field]) => [name, reordered(field ?? null)] as const);
  return Object.fromEntries(fields.reverse());
}
