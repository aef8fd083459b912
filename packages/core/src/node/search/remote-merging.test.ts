import { describe, expect, it } from "vitest";
import { remoteSegmentsToMerge } from "./remote-merging.ts";

const MEBIBYTE = 1024 * 1024;

describe("segments of a hub that are due", () => {
  it("leave few, none much larger than others, however many are written", () => {
    let present: { bytes: number }[] = [];
    let largest = 0;
    for (let round = 0; round < 200; round++) {
      present.push({ bytes: 1.3 * MEBIBYTE });
      for (let due = remoteSegmentsToMerge(present); due.length > 0; due = remoteSegmentsToMerge(present)) {
        const bytes = due.reduce((sum, segment) => sum + segment.bytes, 0);
        largest = Math.max(largest, bytes);
        present = [...present.filter((segment) => !due.includes(segment)), { bytes }];
      }
    }
    expect(present.length).toBeLessThanOrEqual(36);
    expect(largest / MEBIBYTE).toBeLessThanOrEqual(16);
  });

  it("are no more at a time than need little room, where many wait", () => {
    const waiting = Array.from({ length: 30 }, () => ({ bytes: 7 * MEBIBYTE }));
    expect(remoteSegmentsToMerge(waiting)).toHaveLength(2);
  });
});
