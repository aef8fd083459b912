import { describe, expect, it } from "vitest";
import { parseOptions } from "./options.ts";

const known = ["corpus", "search", "scale"];
const onRequest = ["scale"];

describe("parseOptions", () => {
  it("runs everything but what has to be asked for, on the usual corpus, when nothing is said", () => {
    expect(parseOptions([], known, onRequest)).toEqual({
      shape: {},
      benches: ["corpus", "search"],
      minutes: 2,
      plot: null,
      json: null,
      strict: false,
      help: false,
    });
  });

  it("takes benches and the shape of the corpus", () => {
    const argv = ["scale", "--sessions", "100", "--bytes", "20000000", "--json", "out.json", "--strict"];
    expect(parseOptions(argv, known, onRequest)).toMatchObject({
      shape: { sessions: 100, bytes: 20_000_000 },
      benches: ["scale"],
      json: "out.json",
      strict: true,
    });
  });

  it.each([[["serach"]], [["--sessions", "0"]], [["--bytes", "1GB"]], [["--minutes", "0.5"]], [["--seeds", "1"]]])(
    "refuses %j",
    (argv) => {
      expect(() => parseOptions(argv, known, onRequest)).toThrow();
    },
  );
});
