import type { LibraryStatus } from "@sm/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { followIndex } from "./index-progress.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function status(sessions: number, pending: number): LibraryStatus {
  const bytes = { bytes_done: sessions, bytes_total: sessions + pending };
  return { state: "indexing", reason: null, sessions, pending, skipped_files: 0, ...bytes };
}

function follow() {
  const told: unknown[] = [];
  return { told, progress: followIndex((payload) => told.push(payload)) };
}

describe("followIndex", () => {
  it("tells what is done and what is not", () => {
    const { told, progress } = follow();
    progress.update(status(10, 4));
    expect(told).toEqual([{ done: 6, total: 10, bytes_done: 10, bytes_total: 14 }]);
  });

  it("counts nothing as done while more is pending than known", () => {
    const { told, progress } = follow();
    progress.update(status(1, 3));
    expect(told).toMatchObject([{ done: 0, total: 3 }]);
  });

  it("tells once when all is done", () => {
    const { told, progress } = follow();
    progress.update(status(10, 1));
    progress.update(status(10, 0));
    vi.advanceTimersByTime(1_000);
    progress.update(status(10, 0));
    vi.advanceTimersByTime(1_000);
    expect(told).toMatchObject([{ done: 9 }, { done: 10, total: 10 }]);
  });

  it("is silent where nothing was to be done", () => {
    const { told, progress } = follow();
    progress.update(status(10, 0));
    vi.advanceTimersByTime(1_000);
    expect(told).toEqual([]);
  });

  it("tells the latest every 250 ms at most", () => {
    const { told, progress } = follow();
    for (let pending = 100; pending > 0; pending -= 1) {
      progress.update(status(100, pending));
      vi.advanceTimersByTime(10);
    }
    expect(told).toMatchObject([{ done: 0 }, { done: 24 }, { done: 49 }, { done: 74 }, { done: 99 }]);
  });

  it("leaves no timer running when nothing changes, or when it is closed", () => {
    const { told, progress } = follow();
    progress.update(status(10, 1));
    vi.advanceTimersByTime(250);
    expect(vi.getTimerCount()).toBe(0);
    progress.update(status(10, 2));
    progress.update(status(10, 3));
    progress.close();
    vi.advanceTimersByTime(1_000);
    expect(told).toHaveLength(2);
  });
});
