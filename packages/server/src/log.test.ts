import { AppError } from "@sm/core";
import { describe, expect, it } from "vitest";
import { createLog } from "./log.ts";

interface Line {
  msg: string;
  err: { message: string; stack?: string } | string;
}

function newLog() {
  const lines: Line[] = [];
  return { log: createLog("info", { write: (line) => lines.push(JSON.parse(line)) }), lines };
}

const hasStack = ({ err }: Line) => typeof err === "object" && err.stack !== undefined;

describe("errors in the log", () => {
  it("have a stack once for each cause, however they are wrapped", () => {
    const { log, lines } = newLog();
    const full = new Error("disk is full");
    const wrapped = () => new AppError("UNAVAILABLE", "Tags are not available.", { cause: full });
    log.error({ err: wrapped() }, "first");
    log.error({ err: wrapped() }, "second");
    log.warn({ err: full }, "third");
    log.error({ err: new Error("another") }, "fourth");
    expect(lines.map((line) => [line.msg, hasStack(line)])).toEqual([
      ["first", true],
      ["second", false],
      ["third", false],
      ["fourth", true],
    ]);
    expect(lines[0]).toMatchObject({ err: { stack: expect.stringContaining("caused by: Error: disk is full") } });
    expect(lines[1]).toMatchObject({
      err: { type: "AppError", code: "UNAVAILABLE", message: "Tags are not available.: disk is full" },
    });
  });

  it("are remembered up to a bound, those longest that come again", () => {
    const { log, lines } = newLog();
    const [often, once] = [new Error("often"), new Error("once")];
    log.error({ err: once }, "");
    for (let count = 0; count < 100; count++) {
      log.error({ err: often }, "");
      log.error({ err: new Error(`number ${count}`) }, "");
    }
    lines.splice(0);
    for (const err of [often, once]) log.error({ err }, "");
    expect(lines.map(hasStack)).toEqual([false, true]);
  });

  it("may be anything, and the cause of themselves", () => {
    const { log, lines } = newLog();
    const circular = new Error("a circle");
    circular.cause = circular;
    for (const err of ["a text", null, circular]) log.error({ err }, "");
    expect(lines.map(({ err }) => (typeof err === "object" ? err?.message : err))).toEqual([
      "a text",
      undefined,
      expect.stringContaining("a circle"),
    ]);
  });
});
