import { describe, expect, it } from "vitest";
import { holdOutput } from "./held-output.ts";

describe("holdOutput", () => {
  it("lets nothing out before the first line", () => {
    const written: string[] = [];
    const output = holdOutput((text) => written.push(text));
    output.write("log 1\n");
    output.write("log 2\n");
    expect(written).toEqual([]);
    output.release("first");
    output.write("log 3\n");
    expect(written).toEqual(["first\n", "log 1\n", "log 2\n", "log 3\n"]);
  });

  it("gives what it holds when there is no first line", () => {
    const written: string[] = [];
    const output = holdOutput((text) => written.push(text));
    output.write("log 1\n");
    output.release();
    expect(written).toEqual(["log 1\n"]);
  });
});
