import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { innocents } from "./innocents.fixture.ts";
import { Redactor } from "./redactor.ts";
import { tokenSamples } from "./samples.fixture.ts";
import { missedSecrets, secrets } from "./secrets.fixture.ts";
import { tokenFormats } from "./token-formats.ts";

function redact(text: string, cwd = "/home/alice/project"): string {
  const redactor = new Redactor();
  redactor.learn(cwd);
  return redactor.text(text, null);
}

/** Removes the numbers, which say nothing where a text has one secret. */
const kinds = (text: string) => redact(text).replace(/(\[redacted:[a-z0-9-]+)-\d+\]/g, "$1]");

describe("tokens", () => {
  it("have a sample for each format", () => {
    const sampled = new Set(tokenSamples.map(([type]) => type));
    expect(tokenFormats.map(({ type }) => type).filter((type) => !sampled.has(type))).toEqual(["cloudflare-token"]);
  });

  describe.each(tokenSamples)("%s", (type, token) => {
    it.each<[string, (token: string) => string]>([
      ["alone", (token) => token],
      ["in a sentence", (token) => `The key is ${token}, take it.`],
      ["in quotes", (token) => `fetch(url, { key: '${token}' })`],
      ["in an environment", (token) => `export SOME_VARIABLE=${token}\nnext`],
      ["in JSON in a string", (token) => `{\\"value\\":\\"${token}\\",\\n\\"next\\":1}`],
      ["behind an escaped line end", (token) => `one\\n${token}\\ntwo`],
      ["behind a colour", (token) => `\u001b[32m${token}\u001b[0m`],
      ["in an address", (token) => `https://example.org/?q=${token}&x=1`],
      ["in Markdown", (token) => `- \`${token}\``],
    ])("is found %s", (_, within) => {
      expect(kinds(within(token))).toBe(within(`[redacted:${type}]`));
    });
  });
});

describe("the catalogue", () => {
  const isRedacted = ([text, secret]: readonly [string, string]) => !redact(text).includes(secret);

  it("has all its secrets replaced, except those that are known to be missed", () => {
    expect(secrets.length).toBeGreaterThanOrEqual(150);
    expect(secrets.filter(([text, secret]) => !text.includes(secret))).toEqual([]);
    expect(secrets.filter((entry) => !isRedacted(entry))).toEqual([]);
    expect(missedSecrets.filter(isRedacted)).toEqual([]);
  });

  it("has nothing replaced that is innocent", () => {
    expect(new Set(innocents).size).toBeGreaterThanOrEqual(200);
    expect(innocents.filter((text) => redact(text) !== text).map((text) => [text, redact(text)])).toEqual([]);
  });

  it("has the figures that the documentation tells", async () => {
    const documentation = await readFile(join(import.meta.dirname, "../../../../../docs/export.md"), "utf8");
    const all = secrets.length + missedSecrets.length;
    expect(documentation.replace(/\s+/g, " ")).toContain(
      `replaced ${secrets.length} of ${all} secrets, and nothing in ${innocents.length} texts without one`,
    );
  });
});
