import { describe, expect, it } from "vitest";
import { TextQueue } from "./text-queue.ts";

const session = (key: number, bytes = 1) => ({ key, path: `/${key}`, bytes });

describe("sessions that wait to be indexed", () => {
  it("come in order, fresh ones first and alone, and stay until they are removed", () => {
    const queue = new TextQueue();
    for (const key of [1, 2, 3]) queue.add(session(key), "bulk");
    expect(queue.next(2)).toEqual([session(1), session(2)]);
    queue.add(session(4), "fresh");
    queue.add(session(2), "fresh");
    const fresh = queue.next(10);
    expect(fresh).toEqual([session(4), session(2)]);
    expect([queue.size, queue.bytes]).toEqual([4, 4]);
    for (const text of fresh) expect(queue.remove(text)).toBe(true);
    expect(queue.next(10)).toEqual([session(1), session(3)]);
    queue.clear();
    expect(queue.size).toBe(0);
  });

  it("are taken by number and by bytes, and count by what is left of them", () => {
    const queue = new TextQueue();
    for (const key of [1, 2, 3]) queue.add(session(key, 40 * 1024 * 1024), "bulk");
    const batch = queue.next(10);
    expect(batch.map(({ key }) => key)).toEqual([1, 2]);
    expect(queue.next(1)).toHaveLength(1);
    const before = queue.bytes;
    const [first] = batch;
    if (first !== undefined) queue.indexed(first, 100);
    expect(queue.bytes).toBe(before - 100);
    // Grown meanwhile: what was indexed of it before is not counted twice.
    queue.add(session(1, 7), "bulk");
    if (first !== undefined) queue.indexed(first, 100);
    expect(queue.bytes).toBe(80 * 1024 * 1024 + 7);
    queue.clear();
    expect(queue.bytes).toBe(0);
  });

  it.each(["fresh", "bulk"] as const)("stay when they have grown since they were next: %s", (urgency) => {
    const queue = new TextQueue();
    queue.add(session(1), urgency);
    const [text] = queue.next(1);
    queue.add(session(1, 2), "bulk");
    expect(text !== undefined && queue.remove(text)).toBe(false);
    const [grown] = queue.next(1);
    expect(grown).toEqual(session(1, 2));
    expect(grown !== undefined && queue.remove(grown)).toBe(true);
    expect(queue.size).toBe(0);
  });
});
