import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { pastablePath, shellQuote } from "./shell-quote.ts";

it("leaves plain paths as they are", () => {
  expect(shellQuote("/home/me/a-b_1.jsonl")).toBe("/home/me/a-b_1.jsonl");
});

it("gives a shell the same argument back", () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab'\"$`\\ ;&|<>*~#é") });
  const texts = fc.sample(text, 50).map((one) => `x${one}`);
  const script = `printf '%s\\0' ${texts.map(shellQuote).join(" ")}`;
  expect(execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1)).toEqual(texts);
});

it("writes no character that is a key or invisible, and gives the same argument back", () => {
  const text = fc.string({ unit: fc.constantFrom(..."a0'\"$`\\ \n\r\t\u0003\u001b[201~\u007f\u009b\u200b\u202eé") });
  const texts = fc.sample(text, 50).map((one) => `x${one}`);
  const quoted = texts.map(shellQuote).join(" ");
  expect(quoted).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  const script = `printf '%s\\0' ${quoted}`;
  expect(execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1)).toEqual(texts);
});

it.each([
  ["/home/me/it's mine/a b.jsonl", "/home/me/it's mine/a b.jsonl"],
  ["/home/me/a\nrm -rf ~\n.jsonl", "$'/home/me/a\\012rm -rf ~\\012.jsonl'"],
  ["/home/me/gpj\u202e.exe", "$'/home/me/gpj\\342\\200\\256.exe'"],
])("pastes %j as %j", (path, pasted) => {
  expect(pastablePath(path)).toBe(pasted);
});
