import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { reload } from "./reload.ts";

const KEY = ["list_terminals", {}];

/** A query whose answers come when they are told to; each is the number of the call. */
function openQuery() {
  const queries = new QueryClient();
  const shown: (number | undefined)[] = [];
  const answers: (() => void)[] = [];
  const aborted: number[] = [];
  let calls = 0;
  const observer = new QueryObserver(queries, {
    queryKey: KEY,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => {
      calls += 1;
      const call = calls;
      signal.addEventListener("abort", () => aborted.push(call));
      return new Promise<number>((resolve) => answers.push(() => resolve(call)));
    },
  });
  const close = observer.subscribe(({ data }) => shown.push(data));
  return { queries, answers, aborted, close, calls: () => calls, shown: () => shown.at(-1) };
}

it("lets answers arrive where events come faster, and shows the newest in the end", async () => {
  const query = openQuery();
  query.answers.at(-1)?.();
  await expect.poll(query.shown).toBe(1);
  void reload(query.queries, KEY);
  expect(query.calls()).toBe(2);
  // Of several listeners, and of several events.
  for (let event = 0; event < 10; event++) void reload(query.queries, KEY);
  expect(query.calls()).toBe(2);
  query.answers.at(-1)?.();
  await expect.poll(query.shown).toBe(2);
  await expect.poll(query.calls).toBe(3);
  query.answers.at(-1)?.();
  await expect.poll(query.shown).toBe(3);
  expect(query.calls()).toBe(3);
  expect(query.aborted).toEqual([]);
  query.close();
});
