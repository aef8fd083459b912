import { expect, it } from "vitest";
import { CountedStore } from "./counted-store.ts";
import { type ObjectStore, type StoredObject, unavailableStore } from "./object-store.ts";

function storeWith(objects: Map<string, Buffer>): ObjectStore {
  const of = (key: string) => {
    if (key === "broken") throw unavailableStore(new Error("It is broken."));
    return objects.get(key) ?? null;
  };
  return {
    name: "memory",
    put: async (key, bytes) => {
      of(key);
      objects.set(key, Buffer.from(bytes));
    },
    get: async (key, length) => of(key)?.subarray(0, length) ?? null,
    delete: async (key) => void (of(key) !== null && objects.delete(key)),
    async *list(folder) {
      for (const [key, { length }] of objects) yield { key, bytes: length };
      of(folder);
    },
  };
}

async function listed(store: ObjectStore, folder: string): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for await (const object of store.list(folder)) objects.push(object);
  return objects;
}

it("counts what is asked of a store by kind, with failures and bytes", async () => {
  const store = new CountedStore(storeWith(new Map()));
  await store.put("a", Buffer.alloc(10));
  await store.put("b", Buffer.alloc(20));
  expect((await store.get("a", 4))?.length).toBe(4);
  expect(await store.get("c")).toBeNull();
  await store.delete("b");
  expect(await listed(store, "all")).toEqual([{ key: "a", bytes: 10 }]);
  for (const ask of [
    () => store.put("broken", Buffer.alloc(5)),
    () => store.get("broken"),
    () => store.delete("broken"),
  ])
    await expect(ask()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(listed(store, "broken")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  // Whoever has seen enough stops.
  for await (const _ of store.list("all")) break;
  const without = [...store.sums].map(([kind, { seconds, ...sums }]) => [kind, seconds >= 0, sums]);
  expect(without).toEqual([
    ["put", true, { requests: 3, failures: 1, bytes: 30 }],
    ["get", true, { requests: 3, failures: 1, bytes: 4 }],
    ["delete", true, { requests: 2, failures: 1, bytes: 0 }],
    ["list", true, { requests: 3, failures: 1, bytes: 0 }],
  ]);
});

it("adds up for how long the store has worked, and not whoever asks", async () => {
  const waited = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const get = () => waited(30).then(() => Buffer.alloc(1));
  const store = new CountedStore({ ...storeWith(new Map([["a", Buffer.alloc(1)]])), get });
  await store.get("a");
  expect(store.sums.get("get")?.seconds).toBeGreaterThan(0.02);
  for await (const _ of store.list("all")) await waited(30);
  expect(store.sums.get("list")?.seconds).toBeLessThan(0.02);
});
