import { createEventBus, type Subscriber, type Subscription } from "@sm/router/events";
import { describe, expect, it } from "vitest";
import { LaterSubscription } from "./later-subscription.ts";

const PATHS = { changed_paths: [], removed_paths: [] };

function waiting() {
  const bus = createEventBus({ version: "1.2.3" });
  const names: string[] = [];
  const subscriber: Subscriber = { send: ({ name }) => names.push(name) > 0 };
  let begin = () => {};
  const begun = new Promise<() => Subscription>((resolve) => (begin = () => resolve(() => bus.subscribe(subscriber))));
  return { bus, names, begin: () => begin(), later: new LaterSubscription(begun) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a subscription to a stream that comes later", () => {
  it("does then what was asked of it before", async () => {
    const { bus, names, begin, later } = waiting();
    later.add(["live:a"]);
    later.remove(["sessions"]);
    expect([...later.topics]).toEqual([]);
    begin();
    await turn();
    expect([...later.topics]).toContain("live:a");
    expect([...later.topics]).not.toContain("sessions");
    bus.publish("session-changed", PATHS);
    expect(names).toEqual(["hello"]);
    later.add(["sessions"]);
    bus.publish("session-changed", PATHS);
    expect(names).toEqual(["hello", "session-changed"]);
    later.close();
    expect(bus.hasSubscribers).toBe(false);
  });

  it("that was closed before never begins", async () => {
    const { bus, names, begin, later } = waiting();
    later.close();
    begin();
    await turn();
    expect([names, bus.hasSubscribers]).toEqual([[], false]);
  });
});
