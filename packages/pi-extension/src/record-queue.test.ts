import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecordQueue } from "./record-queue.ts";

const MIB = 1024 * 1024;

/** A record of about this many bytes. */
const sized = (bytes: number, id = 0) => ({ type: "record", id, text: "x".repeat(bytes) });

const ids = (records: { text: string }[]) => records.map(({ text }) => (JSON.parse(text) as { id: number }).id);

describe("a batch", () => {
  it("holds up to a MiB", () => {
    const outbox = new RecordQueue();
    for (const [id, size] of [0.4, 0.4, 0.4, 0.9, 0.05].entries()) outbox.add(sized(size * MIB, id));
    expect(ids(outbox.take())).toEqual([0, 1]);
    expect(ids(outbox.take())).toEqual([2]);
    expect(ids(outbox.take())).toEqual([3, 4]);
    expect(outbox.take()).toEqual([]);
  });

  it("holds up to 1,000 records", () => {
    const outbox = new RecordQueue();
    for (let id = 0; id < 1_001; id++) outbox.add({ type: "record", id });
    expect(outbox.take()).toHaveLength(1_000);
    expect(ids(outbox.take())).toEqual([1_000]);
  });

  it("comes first again when it is put back", () => {
    const outbox = new RecordQueue();
    outbox.add({ type: "record", id: 1 });
    const batch = outbox.take();
    outbox.add({ type: "record", id: 2 });
    outbox.requeue(batch);
    expect(ids(outbox.take())).toEqual([1, 2]);
  });
});

describe("a record", () => {
  it("takes the place of the one before with the same key", () => {
    const outbox = new RecordQueue();
    outbox.add({ type: "record", id: 1 }, "a");
    outbox.add({ type: "record", id: 2 }, "a");
    outbox.add({ type: "record", id: 3 }, "b");
    outbox.add({ type: "record", id: 4 });
    outbox.add({ type: "record", id: 5 }, "b");
    expect(ids(outbox.take())).toEqual([2, 3, 4, 5]);
  });

  it("goes without its images where it is too large, or with its type alone", () => {
    const outbox = new RecordQueue();
    const image = { type: "image", data: "A".repeat(2 * MIB), mimeType: "image/png" };
    outbox.add({ type: "message_end", message: { role: "user", content: [image] } });
    outbox.add(sized(2 * MIB));
    expect(outbox.take().map(({ text }) => JSON.parse(text))).toEqual([
      { type: "message_end", message: { role: "user", content: [{ ...image, data: "" }] } },
      { type: "record", truncated: true, bytes: expect.closeTo(2 * MIB, -3) },
    ]);
  });
});

it("keeps the newest records in order, whatever happens, and at most 4 MiB of them", () => {
  const action = fc.oneof(
    fc.record({ add: fc.integer({ min: 0, max: MIB - 100 }), key: fc.option(fc.constantFrom("a", "b")) }),
    fc.record({ fails: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
      const outbox = new RecordQueue();
      let next = 0;
      let last = -1;
      const tell = (batch: { text: string }[]) => {
        for (const id of ids(batch)) {
          expect(id).toBeGreaterThan(last);
          last = id;
        }
      };
      for (const action of actions) {
        if ("add" in action) outbox.add(sized(action.add, next++), action.key);
        else if (action.fails) outbox.requeue(outbox.take());
        else tell(outbox.take());
      }
      let bytes = 0;
      for (let batch = outbox.take(); batch.length > 0; batch = outbox.take()) {
        for (const record of batch) bytes += record.bytes;
        tell(batch);
      }
      expect(bytes).toBeLessThanOrEqual(4 * MIB);
      // What was added last is there, or was told.
      if (next > 0) expect(last).toBe(next - 1);
    }),
    { numRuns: 50 },
  );
});

describe("waiting", () => {
  it("ends with a record", async () => {
    const outbox = new RecordQueue();
    const filled = outbox.filled();
    outbox.add({ type: "record", id: 1 });
    await filled;
  });

  it("ends when woken, also when woken before", async () => {
    const outbox = new RecordQueue();
    outbox.wake();
    await outbox.filled();
    let isFilled = false;
    const filled = outbox.filled().then(() => {
      isFilled = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isFilled).toBe(false);
    outbox.wake();
    await filled;
  });
});
