import { readFileSync } from "node:fs";

/** Reads the pieces of JavaScript in a README, each a program. */
export function snippetsOf(path: string): string[] {
  return [...readFileSync(path, "utf8").matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = ""]) => code);
}
