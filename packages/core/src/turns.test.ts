import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Turns } from "./turns.ts";

interface Task {
  client: string;
  connection: string;
  place: number;
}

const anyRequester = fc.record({
  client: fc.constantFrom("a", "b", "c"),
  connection: fc.constantFrom("1", "2"),
});

function taken(turns: Turns<Task>): Task[] {
  const tasks: Task[] = [];
  for (let task = turns.next(); task !== null; task = turns.next()) tasks.push(task);
  return tasks;
}

/** Lets tasks wait in this order. */
function waiting(requesters: readonly Omit<Task, "place">[]) {
  const turns = new Turns<Task>(1_000);
  const tasks = requesters.map((requester, place) => ({ ...requester, place }));
  for (const task of tasks) turns.add(task, task);
  return { turns, tasks };
}

describe("tasks that wait", () => {
  it("come each once, those of a connection in their order", () => {
    fc.assert(
      fc.property(fc.array(anyRequester), (requesters) => {
        const { turns, tasks } = waiting(requesters);
        const order = taken(turns);
        expect(order.toSorted((a, b) => a.place - b.place)).toEqual(tasks);
        for (const one of order) {
          const places = order.filter((other) => areSame(one, other, "connection")).map(({ place }) => place);
          expect(places).toEqual(places.toSorted((a, b) => a - b));
        }
        expect(turns.size).toBe(0);
      }),
    );
  });

  it.each<["client" | "connection", (a: Task, b: Task) => boolean]>([
    ["client", () => true],
    ["connection", (a, b) => a.client === b.client],
  ])("never come twice for a %s while they come not at all for another that waits", (level, areRivals) => {
    fc.assert(
      fc.property(fc.array(anyRequester, { maxLength: 40 }), (requesters) => {
        const order = taken(waiting(requesters).turns);
        for (const [at, task] of order.entries()) {
          const again = order.findIndex((later, place) => place > at && areSame(later, task, level));
          if (again < 0) continue;
          const between = order.slice(at + 1, again);
          const stillWaiting = order.slice(again).filter((one) => areRivals(one, task) && !areSame(one, task, level));
          for (const one of stillWaiting) expect(between.some((other) => areSame(other, one, level))).toBe(true);
        }
      }),
    );
  });

  it("are a queue again, whatever is added, taken and cancelled", () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant("add" as const), requester: anyRequester }),
      fc.record({ type: fc.constant("next" as const) }),
      fc.record({ type: fc.constant("cancel" as const), which: fc.nat() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const turns = new Turns<Task>(1_000);
        const model = new Set<Task>();
        for (const [place, one] of steps.entries()) {
          if (one.type === "add") {
            const task = { ...one.requester, place };
            turns.add(task, task);
            model.add(task);
          } else if (one.type === "next") {
            const task = turns.next();
            expect(task === null).toBe(model.size === 0);
            if (task !== null) expect(model.delete(task)).toBe(true);
          } else {
            const task = [...model][one.which % Math.max(1, model.size)];
            if (task === undefined) continue;
            expect(turns.delete(task)).toBe(true);
            expect(turns.delete(task)).toBe(false);
            model.delete(task);
          }
          expect(turns.size).toBe(model.size);
        }
        expect(new Set(taken(turns))).toEqual(model);
      }),
    );
  });

  it("let somebody who comes later have the next turn but one", () => {
    const { turns } = waiting(Array.from({ length: 500 }, () => ({ client: "flood", connection: "1" })));
    const later = { client: "other", connection: "1", place: -1 };
    turns.add(later, later);
    expect([turns.next(), turns.next()]).toContain(later);
  });
});

describe("the room of a client", () => {
  const fill = (turns: Turns<object>, requester: { client: string; connection: string }, count: number) => {
    let added = 0;
    for (; added < count && turns.hasRoom(requester); added++) turns.add({}, requester);
    return added;
  };

  it("is bounded, and that of others is theirs", () => {
    const turns = new Turns<object>(10);
    expect(fill(turns, { client: "a", connection: "1" }, 100)).toBe(10);
    expect(fill(turns, { client: "b", connection: "1" }, 100)).toBe(10);
    turns.next();
    turns.next();
    expect(fill(turns, { client: "a", connection: "1" }, 100)).toBe(1);
  });

  it("has its share for a connection that does not flood", () => {
    const turns = new Turns<object>(10);
    fill(turns, { client: "a", connection: "flood" }, 100);
    expect(fill(turns, { client: "a", connection: "quiet" }, 3)).toBe(3);
    expect(turns.hasRoom({ client: "a", connection: "flood" })).toBe(false);
  });

  it("stays bounded, however many connections there are", () => {
    const most = 10;
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 200 }), (connections) => {
        const turns = new Turns<object>(most);
        for (const connection of connections) fill(turns, { client: "a", connection: `${connection}` }, 1);
        expect(turns.size).toBeLessThanOrEqual(Math.max(2 * most, most + new Set(connections).size));
      }),
    );
  });
});

function areSame(a: Task, b: Task, level: "client" | "connection"): boolean {
  return a.client === b.client && (level === "client" || a.connection === b.connection);
}
