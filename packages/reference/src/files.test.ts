import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { referenceFiles } from "./files.ts";

describe("docs/api", () => {
  it.each(Object.entries(referenceFiles()))(
    "%s is what the registry says; `npm run reference` writes it",
    (name, text) => {
      const written = readFileSync(new URL(`../../../docs/api/${name}`, import.meta.url), "utf8");
      expect(written === text, `docs/api/${name} is stale: run npm run reference.`).toBe(true);
    },
  );
});
