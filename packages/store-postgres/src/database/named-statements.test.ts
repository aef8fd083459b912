import { describe, expect, it } from "vitest";
import { NamedStatements } from "./named-statements.ts";

describe("statements that are asked often", () => {
  it("get a name each, which they keep", () => {
    const statements = new NamedStatements();
    const names = Array.from({ length: 40 }, () => statements.nameOf("SELECT 1"));
    expect(new Set(names.slice(0, 19))).toEqual(new Set([undefined]));
    expect(new Set(names.slice(19))).toEqual(new Set(["often_0"]));
    for (let time = 0; time < 20; time++) statements.nameOf("SELECT 2");
    expect(statements.nameOf("SELECT 2")).toBe("often_1");
  });

  it("are few, whatever is asked", () => {
    const statements = new NamedStatements();
    for (let text = 0; text < 200; text++) for (let time = 0; time < 25; time++) statements.nameOf(`SELECT ${text}`);
    const named = Array.from({ length: 200 }, (_, text) => statements.nameOf(`SELECT ${text}`)).filter(Boolean);
    expect(new Set(named).size).toBe(128);
  });

  it("are counted anew after a thousand others", () => {
    const statements = new NamedStatements();
    for (let time = 0; time < 19; time++) statements.nameOf("SELECT 1");
    for (let text = 0; text < 1_000; text++) statements.nameOf(`SELECT 1, ${text}`);
    expect(statements.nameOf("SELECT 1")).toBeUndefined();
  });

  it("are asked under their names", () => {
    const asked: unknown[] = [];
    const client = { query: (config: unknown, values: unknown) => asked.push([config, values]) };
    const named = new NamedStatements().over(client as unknown as Parameters<NamedStatements["over"]>[0]);
    for (let time = 0; time < 20; time++) void named.query({ text: "SELECT $1" }, [time]);
    void named.query("COMMIT");
    expect(asked.at(-3)).toEqual([{ text: "SELECT $1", name: undefined }, [18]]);
    expect(asked.at(-2)).toEqual([{ text: "SELECT $1", name: "often_0" }, [19]]);
    expect(asked.at(-1)).toEqual(["COMMIT", undefined]);
  });
});
