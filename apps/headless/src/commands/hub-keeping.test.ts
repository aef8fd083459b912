import { describe, expect, it } from "vitest";
import { runFake } from "../fake-shell.fixture.ts";

const STORE = ["--store", "postgres://hub@db/hub"];

describe("the commands for what a hub keeps", () => {
  it.each<[args: string, message: string]>([
    ["move-chunks --to tape", "Allowed choices are objects, database"],
    ["move-chunks all", "too many arguments for 'move-chunks'"],
    ["check-chunks --repair", "unknown option '--repair'"],
    ["retention --days 0", "Name a number of days from 1 to 36500."],
    ["retention --days 1.5", "Name a number of days from 1 to 36500."],
    ["retention --days 36501", "Name a number of days from 1 to 36500."],
    ["retention --days 7 --forever", "cannot be used with option '--forever'"],
    ["retention 730", "too many arguments for 'retention'"],
  ])("refuse %s", async (args, message) => {
    const { error, stdout } = await runFake(["hub", ...args.split(" "), ...STORE]);
    expect({ error, stdout }).toEqual({ error: expect.any(Error), stdout: "" });
    expect(String(error)).toContain(message);
  });

  it.each<[what: string, address: string[], message: string]>([
    ["none", [], "required option '--store <url>' not specified"],
    ["no address", ["hub:secret"], "--store needs an address such as postgres://user@host/database"],
    ["one of another kind", ["mysql://hub:secret@db/hub"], "--store needs an address such as"],
    ["an empty one", [""], "--store needs an address such as"],
  ])("refuse an address, and do not show it: %s", async (_what, address, message) => {
    for (const command of ["move-chunks", "check-chunks", "retention"]) {
      const { error, stdout, stderr } = await runFake(["hub", command, ...address.flatMap((url) => ["--store", url])]);
      expect(String(error)).toContain(message);
      expect(`${error} ${stdout} ${stderr}`).not.toContain("secret");
    }
  });
});
