import { describe, expect, it } from "vitest";
import { DEFAULT_PARAMETERS } from "./corpus/plan.ts";
import { parseOptions } from "./options.ts";

const known = ["records", "search"];

describe("parseOptions", () => {
  it("runs everything on the default corpus when nothing is said", () => {
    expect(parseOptions([], known)).toEqual({
      corpus: DEFAULT_PARAMETERS,
      benches: known,
      json: null,
      strict: false,
      help: false,
    });
  });

  it("takes benches and the shape of the corpus", () => {
    const argv = ["search", "--sessions", "100", "--bytes", "20000000", "--json", "out.json", "--strict"];
    expect(parseOptions(argv, known)).toMatchObject({
      corpus: { ...DEFAULT_PARAMETERS, sessions: 100, bytes: 20_000_000 },
      benches: ["search"],
      json: "out.json",
      strict: true,
    });
  });

  it("only generates the corpus when nothing else is named", () => {
    expect(parseOptions(["corpus"], known).benches).toEqual([]);
  });

  it.each([[["serach"]], [["--sessions", "0"]], [["--bytes", "1GB"]], [["--seeds", "1"]]])("refuses %j", (argv) => {
    expect(() => parseOptions(argv, known)).toThrow();
  });
});
