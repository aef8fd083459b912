import type { JsonObject } from "@sm/core";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { editedText } from "./edit.ts";

const TEXT = `// Mine.
{
    "providers": {
        // At home.
        "local": {
            "baseUrl": "http://127.0.0.1:1234/v1", // not the other one
            "apiKey": "LOCAL_KEY",
            "unknown": 12345678901234567890,
            "models": [
                { "id": "a", "maxTokens": 1000 }, // small
                { "id": "b" }, // slow
                { "id": "c" }, // clever
            ]
        }
    }
}
`;

const read = (): JsonObject => parse(TEXT, [], { allowTrailingComma: true }) as JsonObject;

/** Changes the models of the text's provider. */
function withModels(change: (models: JsonObject[]) => JsonObject[]): JsonObject {
  const config = read();
  const { local } = config.providers as { local: { models: JsonObject[] } };
  local.models = change(local.models);
  return config;
}

describe("editedText", () => {
  it("leaves a text alone that says the same", () => {
    expect(editedText(TEXT, read())).toBe(TEXT);
  });

  it("changes a value, and no other character", () => {
    const next = withModels(([a, ...others]) => [{ ...a, maxTokens: 2000 }, ...others]);
    expect(editedText(TEXT, next)).toBe(TEXT.replace("1000", "2000"));
  });

  it("takes an element out, and leaves the lines above it", () => {
    const edited = editedText(
      TEXT,
      withModels(([a, , c]) => [a ?? {}, c ?? {}]),
    );
    const [above = ""] = TEXT.split('{ "id": "b" }');
    expect(edited.startsWith(above)).toBe(true);
    expect(edited).toContain("// clever");
    expect(edited).not.toContain('"b"');
  });

  it("keeps the comments of what stays", () => {
    const next = withModels(([a, b, c]) => [a ?? {}, { id: "new" }, b ?? {}, { ...c, reasoning: true }]);
    const edited = editedText(TEXT, next);
    expect(parse(edited, [], { allowTrailingComma: true })).toEqual(next);
    for (const comment of ["// Mine.", "// At home.", "// not the other one", "// small", "// slow", "// clever"]) {
      expect(edited).toContain(comment);
    }
    expect(edited).toContain("12345678901234567890");
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["nothing", ""],
  ])("writes anew what is %s", (_, text) => {
    expect(editedText(text, { providers: {} })).toBe('{\n  "providers": {}\n}\n');
  });

  it("keeps tabs and line ends", () => {
    expect(editedText('{\r\n\t"providers": {}\r\n}\r\n', { providers: {}, more: 1 })).toBe(
      '{\r\n\t"providers": {},\r\n\t"more": 1\r\n}\r\n',
    );
  });

  it("says what it was told to, whatever was there", () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.string(), fc.constant(null), tie("list"), tie("object")),
      list: fc.array(tie("any"), { maxLength: 4 }),
      object: fc.dictionary(fc.constantFrom("a", "b", "id", "", "0", "a.b", "/"), tie("any"), { maxKeys: 4 }),
    })).object as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(value, value, fc.constantFrom(0, 2, "\t"), (before, next, indent) => {
        expect(JSON.parse(editedText(JSON.stringify(before, null, indent), next))).toEqual(next);
      }),
    );
  });
});
