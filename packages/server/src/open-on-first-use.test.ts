import { describe, expect, it, vi } from "vitest";
import { forwarded, openOnFirstUse } from "./open-on-first-use.ts";

interface Door {
  name: string;
}

/** A door that takes until `let()` to open. */
function slowDoor() {
  let finish = (_door: Door) => {};
  const open = vi.fn(
    () =>
      new Promise<Door>((resolve) => {
        finish = resolve;
      }),
  );
  const close = vi.fn(async () => {});
  return { open, close, use: openOnFirstUse(open, close), finish: () => finish({ name: "door" }) };
}

describe("openOnFirstUse", () => {
  it("opens nothing before it is asked, and once for all who ask", async () => {
    const { open, use, finish } = slowDoor();
    expect(open).not.toHaveBeenCalled();
    expect(use.opened).toBeNull();
    const asked = [use.open(), use.open()];
    expect(use.opened).toBeNull();
    finish();
    const [first, second] = await Promise.all(asked);
    expect(first).toBe(second);
    expect(await use.open()).toBe(first);
    expect(use.opened).toBe(first);
    expect(open).toHaveBeenCalledOnce();
  });

  it("tries again after a failure", async () => {
    const open = vi.fn(async () => "open");
    open.mockRejectedValueOnce(new Error("not yet"));
    const use = openOnFirstUse(open);
    await expect(use.open()).rejects.toThrow("not yet");
    expect(await use.open()).toBe("open");
  });

  it("closes what is just being opened, and opens nothing from then on", async () => {
    const { open, close, use, finish } = slowDoor();
    const asked = use.open();
    const closed = use.close();
    await expect(use.open()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    finish();
    await asked;
    await closed;
    expect(close).toHaveBeenCalledExactlyOnceWith({ name: "door" });
    expect(open).toHaveBeenCalledOnce();
  });

  it("has nothing to close where nothing is open", async () => {
    const { open, close, use } = slowDoor();
    await use.close();
    expect(open).not.toHaveBeenCalled();
    expect(close).not.toHaveBeenCalled();
  });

  it("closes in peace what could not be opened", async () => {
    const use = openOnFirstUse(() => Promise.reject(new Error("broken")));
    await expect(use.open()).rejects.toThrow("broken");
    await use.close();
  });
});

describe("forwarded", () => {
  class Counter {
    #count = 0;
    async add(amount: number): Promise<number> {
      this.#count += amount;
      return this.#count;
    }
  }

  it("passes calls, results and failures on", async () => {
    const open = vi.fn(async () => counter);
    const counter = new Counter();
    const service = forwarded<Pick<Counter, "add">>(open);
    expect(open).not.toHaveBeenCalled();
    await service.add(2);
    expect(await service.add(3)).toBe(5);
    const broken = forwarded<Pick<Counter, "add">>(() => Promise.reject(new Error("not there")));
    await expect(broken.add(1)).rejects.toThrow("not there");
  });

  it("does without a turn of the event loop what is open", async () => {
    const counter = new Counter();
    const service = forwarded<Pick<Counter, "add">>(async () => counter);
    const order: string[] = [];
    setImmediate(() => order.push("next event"));
    await service.add(1);
    order.push("answered");
    expect(order).toEqual(["answered"]);
  });
});
