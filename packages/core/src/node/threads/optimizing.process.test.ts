import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("is put off by a flag that this engine has, and that it takes while it runs", () => {
  const source = readFileSync(new URL("./optimizing.ts", import.meta.url), "utf8");
  const [flag] = /--[\w-]+(?==)/.exec(source) ?? [];
  const told = spawnSync(process.execPath, ["-e", `require("node:v8").setFlagsFromString("${flag}=1000000")`]);
  // V8 tells of a flag that it does not know on standard error, and goes on.
  expect([flag, told.status, `${told.stdout}${told.stderr}`]).toEqual(["--interrupt-budget", 0, ""]);
});
