import { NO_TIMES, TYPED_AT, TYPED_TIMES, TYPED_TIMES_AHEAD } from "@sm/core/typed-time.fixture";
import { CommanderError } from "commander";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runFake } from "./fake-shell.fixture.ts";
import { parseFutureTime, parseWholeNumber } from "./option-values.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: TYPED_AT, toFake: ["Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Every option that is a time in the past, and the field of the payload that it becomes. */
const PAST: [argv: string[], option: string, field: "since" | "until"][] = [
  [["list"], "--since", "since"],
  [["list"], "--until", "until"],
  [["stats"], "--since", "since"],
  [["stats"], "--until", "until"],
  [["export", "--output", "-"], "--since", "since"],
];

/** What was sent first; that the service gives no answer is no matter. */
async function sent(argv: string[]): Promise<unknown> {
  const { sent, error } = await runFake(argv);
  expect(error).not.toBeInstanceOf(CommanderError);
  return sent[0]?.[1];
}

async function refusal(argv: string[]): Promise<string> {
  const { error, sent } = await runFake(argv);
  expect(error).toBeInstanceOf(CommanderError);
  expect(sent).toEqual([]);
  return String(error);
}

describe.each(PAST)("%j %s", (argv, option, field) => {
  it.each(TYPED_TIMES)("reads %s", async (text, time) => {
    expect(await sent([...argv, option, text])).toMatchObject({ [field]: new Date(time).toISOString() });
  });

  it.each(NO_TIMES)("refuses %s and says what is allowed", async (text, problem) => {
    expect(await refusal([...argv, option, text])).toMatch(problem);
  });
});

describe("token create --expires", () => {
  const argv = ["token", "create", "laptop", "--expires"];

  it.each(TYPED_TIMES_AHEAD)("reads %s", async (text, time) => {
    expect(await sent([...argv, text])).toMatchObject({ expires_at: new Date(time).toISOString() });
  });

  it.each(NO_TIMES)("refuses %s and says what is allowed", async (text, problem) => {
    expect(await refusal([...argv, text])).toMatch(problem);
  });

  it.each(["now", "yesterday", "2026-11", "0d"])("refuses %s, which has been", (text) => {
    expect(() => parseFutureTime(text)).toThrow("It must be in the future.");
  });
});

describe("search", () => {
  it.each(TYPED_TIMES)("sends after:%s as the moment that it is here", async (text, time) => {
    const payload = { query: `tide after:${new Date(time).toISOString()}` };
    expect(await sent(["search", "tide", `after:${text}`])).toMatchObject(payload);
  });
});

describe("parseWholeNumber", () => {
  it.each(["", "-1", "1.5", "1e3", "many", "1234567890"])("refuses %j", (text) => {
    expect(() => parseWholeNumber(text)).toThrow("It must be a whole number.");
  });

  it("reads digits", () => {
    expect(parseWholeNumber("0050")).toBe(50);
  });
});
