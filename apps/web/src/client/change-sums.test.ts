import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type ChangeSums, createChangeSumsQueue } from "./change-sums.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const sumsOf = (path: string): ChangeSums => ({ path, files: 1, added: 2, removed: 3, complete: true });

/** A queue on a service that knows every session but `gone`. */
function queueOf(answer = (paths: string[]) => Promise.resolve(paths.filter((path) => path !== "gone").map(sumsOf))) {
  const asked: { paths: string[]; signal: AbortSignal | undefined }[] = [];
  const call = (_name: string, { paths }: { paths: string[] }, { signal }: { signal?: AbortSignal } = {}) => {
    asked.push({ paths, signal });
    return answer(paths);
  };
  const queue = createChangeSumsQueue({ call: call as never }, () => Date.now());
  const ask = (path: string, signal = new AbortController().signal) => queue.ask(path, signal);
  return { asked, ask, paths: () => asked.map(({ paths }) => paths) };
}

it("what is asked for in the same moment is asked at once", async () => {
  const { ask, paths } = queueOf();
  const answers = Promise.all([ask("a"), ask("gone"), ask("b")]);
  await vi.advanceTimersByTimeAsync(200);
  expect(await answers).toEqual([sumsOf("a"), null, sumsOf("b")]);
  expect(paths()).toEqual([["a", "gone", "b"]]);
});

it("what is only scrolled by is not asked for", async () => {
  const { ask, paths } = queueOf();
  for (let row = 0; row < 50; row++) {
    const gone = new AbortController();
    void ask(`${row}`, gone.signal);
    await vi.advanceTimersByTimeAsync(20);
    gone.abort();
  }
  void ask("rests");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(paths()).toEqual([["rests"]]);
});

it("no more are asked for at once than the service takes", async () => {
  const { ask, paths } = queueOf();
  for (let row = 0; row < 130; row++) void ask(`${row}`);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(paths().map(({ length }) => length)).toEqual([100, 30]);
});

it("a session that grows all the time is asked for every ten seconds", async () => {
  const { ask, paths } = queueOf();
  let before = new AbortController();
  for (let second = 0; second < 21; second++) {
    before.abort();
    before = new AbortController();
    void ask("live", before.signal);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(paths()).toEqual([["live"], ["live"], ["live"]]);
});

it("a request is given up once nobody waits for it", async () => {
  const { ask, asked } = queueOf(() => new Promise(() => undefined));
  const gone = [new AbortController(), new AbortController()];
  for (const [row, { signal }] of gone.entries()) void ask(`${row}`, signal);
  await vi.advanceTimersByTimeAsync(200);
  gone[0]?.abort();
  expect(asked[0]?.signal?.aborted).toBe(false);
  gone[1]?.abort();
  expect(asked[0]?.signal?.aborted).toBe(true);
});

it("what fails can be asked for again at once", async () => {
  let fails = true;
  const { ask } = queueOf((paths) => (fails ? Promise.reject(new Error("later")) : Promise.resolve(paths.map(sumsOf))));
  const failed = expect(ask("a")).rejects.toThrow("later");
  await vi.advanceTimersByTimeAsync(200);
  await failed;
  fails = false;
  const answer = ask("a");
  await vi.advanceTimersByTimeAsync(200);
  expect(await answer).toEqual(sumsOf("a"));
});
