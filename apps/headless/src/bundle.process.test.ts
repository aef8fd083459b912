import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testBinary, until } from "./binary.fixture.ts";

/** Tells for each bundle that is loaded what V8 makes of what was compiled beforehand. */
const OBSERVER = `
import { writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";
import vm from "node:vm";
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    const fate = { true: "refused", false: "taken" }[this.cachedDataRejected] ?? "not given";
    writeSync(2, basename(options.filename) + " " + fate + "\\n");
  }
};
syncBuiltinESMExports();
`;

const binary = testBinary("bundle");
const inBuild = (name: string) => join(dirname(binary.path), name);
const withByte = (bytes: Buffer, place: number) => {
  const changed = Buffer.from(bytes);
  changed[place] = (changed[place] ?? 0) ^ 1;
  return changed;
};

let program: Buffer;
let cache: Buffer;
let observed: NodeJS.ProcessEnv;

beforeAll(async () => {
  program = await readFile(inBuild("program.cjs"));
  cache = await readFile(inBuild("program.cjs.cache"));
});

beforeEach(async () => {
  const observer = join(binary.folder, "observer.mjs");
  await writeFile(observer, OBSERVER);
  observed = { NODE_OPTIONS: `--import ${observer}` };
});

describe("what the build has compiled", () => {
  it("is taken by both threads of a start", async () => {
    const { output } = await binary.serve([], observed);
    await until(() => (output.stderr.includes("tasks.cjs") ? true : undefined));
    expect(output.stderr.split("\n")).toEqual(expect.arrayContaining(["program.cjs taken", "tasks.cjs taken"]));
  });

  it("is refused by V8 under other settings", async () => {
    const { output, ended } = binary.run(["help"], {
      NODE_OPTIONS: `${observed.NODE_OPTIONS} --max-old-space-size=500`,
    });
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(output.stderr).toBe("program.cjs refused\n");
  });

  it.each<[damage: string, file: string, content: () => Buffer | null]>([
    ["is not there", "program.cjs.cache", () => null],
    ["is empty", "program.cjs.cache", () => Buffer.alloc(0)],
    ["has lost its end", "program.cjs.cache", () => cache.subarray(0, cache.length / 2)],
    ["is no longer what it was", "program.cjs.cache", () => withByte(cache, cache.length >> 1)],
    ["has another checksum", "program.cjs.cache", () => withByte(cache, cache.length - 1)],
    ["is of another bundle", "program.cjs", () => Buffer.concat([program.subarray(0, -1), Buffer.from(" ")])],
  ])("is not given to V8 where it %s", async (_, file, content) => {
    const bytes = content();
    try {
      if (bytes === null) await rm(inBuild(file));
      else await writeFile(inBuild(file), bytes);
      const { output, ended } = binary.run(["help"], observed);
      expect(await ended).toEqual({ code: 0, signal: null });
      expect(output.stderr).toBe("program.cjs not given\n");
      expect(output.stdout).toContain("session-cli");
    } finally {
      await writeFile(inBuild("program.cjs"), program);
      await writeFile(inBuild("program.cjs.cache"), cache);
    }
  });
});
