import { afterEach, describe, expect, it } from "vitest";
import type { Service } from "../client/service.ts";
import { deleteAtLast, type LastDeletion } from "./last-deletion.ts";

/** What browsers send of all requests together as a page goes. */
const KEEPALIVE_BYTES = 64 * 1024;

const begun: LastDeletion[] = [];

afterEach(() => {
  for (const one of begun.splice(0)) one.forget();
});

/** A page that closes with these deletions; tells which could wait, and the bodies that are sent. */
function close(deletions: readonly { paths: readonly string[]; force: boolean }[]) {
  const bodies: string[] = [];
  const service = {
    farewell: (command: string, payload: unknown) => void bodies.push(JSON.stringify({ command, payload })),
  } as unknown as Service;
  const canWait = deletions.map(({ paths, force }) => {
    const one = deleteAtLast(service, paths, force);
    if (one !== null) begun.push(one);
    return one !== null;
  });
  window.dispatchEvent(new Event("pagehide"));
  return { canWait, bodies, bytes: new TextEncoder().encode(bodies.join("")).length };
}

const paths = (count: number, name: string) => Array.from({ length: count }, (_, index) => `/s/${name}${index}.jsonl`);

describe("deletions when the page goes", () => {
  it.each<[what: string, deletions: { paths: string[]; force: boolean }[], canWait: boolean[]]>([
    ["a few", [{ paths: paths(3, "a"), force: false }], [true]],
    ["more than a command takes", [{ paths: paths(1_500, "a"), force: false }], [true]],
    ["of 40,000 Chinese characters", [{ paths: paths(400, "会话".repeat(50)), force: false }], [false]],
    ["of many that are live", [{ paths: paths(1_500, "a"), force: true }], [false]],
    [
      "several, which are too much together",
      [1, 2, 3].map(() => ({ paths: paths(200, "a".repeat(100)), force: false })),
      [true, true, false],
    ],
  ])("%s", (_, deletions, canWait) => {
    const closed = close(deletions);
    expect(closed.canWait).toEqual(canWait);
    expect(closed.bytes).toBeLessThan(KEEPALIVE_BYTES);
    expect(closed.bodies.length > 0).toBe(canWait.includes(true));
  });

  it("make room for others when they are over", () => {
    const large = { paths: paths(400, "a".repeat(100)), force: false };
    expect(close([large]).canWait).toEqual([true]);
    expect(close([large]).canWait).toEqual([true]);
  });
});
