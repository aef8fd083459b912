import { describe, expect, it } from "vitest";
import { tokenAt, withChosen } from "./prompt-token.ts";

/** The caret stands where the bar is. */
function at(marked: string) {
  return tokenAt(marked.replace("|", ""), marked.indexOf("|"));
}

describe("what is being named in a prompt", () => {
  it.each([
    ["/|", "command", ""],
    ["/rev|", "command", "rev"],
    ["/skill:ti| more", "command", "skill:ti"],
    ["@|", "file", ""],
    ["look at @src/ma|", "file", "src/ma"],
    ["two\n@lines|\nmore", "file", "lines"],
  ])("%j is a %s with %j", (marked, kind, text) => {
    expect(at(marked)).toMatchObject({ kind, text });
  });

  it.each([["|"], ["a /rev|"], ["/review it|"], ["/re|view"], ["me@example|"], ["@main.ts |"], ["@|main.ts"]])(
    "%j is nothing",
    (marked) => {
      expect(at(marked)).toBeNull();
    },
  );
});

it.each([
  ["/re|", "review", "/review |"],
  ["see @ma|", "src/main.ts", "see @src/main.ts |"],
  ["see @ma| and say", "a name.md", 'see @"a name.md" |and say'],
])("%j becomes what is chosen", (marked, chosen, expected) => {
  const prompt = marked.replace("|", "");
  const token = at(marked);
  const { text, caret } = withChosen(prompt, token as NonNullable<typeof token>, chosen);
  expect(`${text.slice(0, caret)}|${text.slice(caret)}`).toBe(expected);
});
