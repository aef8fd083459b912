import { describe, expect, it } from "vitest";
import { fieldAt, fieldsIn, isFoundBy, nearestFirst, withFieldValue } from "./query-fields.ts";

describe("fieldsIn", () => {
  it.each([
    ["tide", []],
    ["tool:bash tide", [["tool", "bash"]]],
    [
      "(tool:ba OR -MODEL:opus)",
      [
        ["tool", "ba"],
        ["model", "opus"],
      ],
    ],
    ['project:"my app" "tool:bash" x', [["project", "my app"]]],
    ['tag:"not closed', [["tag", "not closed"]]],
    ["file:// a-tool:b xtool:b", []],
    ["tool: tide", [["tool", ""]]],
  ])("of %j are %j", (query, fields) => {
    expect(fieldsIn(query).map(({ field, value }) => [field, value])).toEqual(fields);
  });

  it("knows which value is being typed, and puts another one there", () => {
    expect(fieldAt("tool:ba tide", 4)).toBeNull();
    expect(fieldAt("tool:ba tide", 9)).toBeNull();
    const field = fieldAt("tool:ba tide", 7);
    expect(field).toMatchObject({ value: "ba", start: 5, end: 7 });
    if (field === null) return;
    expect(withFieldValue("tool:ba tide", field, "bash")).toBe("tool:bash tide");
    expect(withFieldValue("tool:ba tide", field, "my tool")).toBe('tool:"my tool" tide');
  });
});

it.each([
  ["tool:bas", "bash", false],
  ["tool:bas*", "bash", true],
  ["tool:BASH", "bash", true],
  ["model:opus", "claude-opus-4", true],
  ["project:nope", "/home/me/app", false],
  ["agent:claude", "Claude Code", true],
  ["agent:code", "Claude Code", false],
])("whether %s finds %s: %j", (query, existing, isFound) => {
  const [field] = fieldsIn(query);
  expect(field !== undefined && isFoundBy(field, existing)).toBe(isFound);
});

it("puts what is most like the typed first, else keeps the order", () => {
  const values = ["read", "write", "bash", "rebase", "edit"];
  expect(nearestFirst(values, "bas", String)).toEqual(["bash", "rebase", "read", "write", "edit"]);
  expect(nearestFirst(values, "raed", String)[0]).toBe("read");
  expect(nearestFirst(values, "wirte", String)).toEqual(values);
});
