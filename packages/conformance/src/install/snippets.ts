import { readFileSync } from "node:fs";

/** Reads the pieces of JavaScript, or of TypeScript, in a Markdown file, each a program. */
export function snippetsOf(path: string, language: "js" | "ts" = "js"): string[] {
  const pieces = readFileSync(path, "utf8").matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"));
  return [...pieces].map(([, code = ""]) => code);
}
