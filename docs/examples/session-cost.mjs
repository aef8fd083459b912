// Prints what a session has cost, prompt by prompt: node session-cost.mjs session.jsonl
import { readFile } from "node:fs/promises";
import { formatDollars, openTranscript } from "@sm/core";

const { title, usage, items } = await openTranscript(await readFile(process.argv[2]), { order: "branch" });
let prompt = "Before the first prompt";
let cost = 0;
for await (const item of items) {
  if (item.kind !== "message") continue;
  if (item.role === "user") {
    if (cost > 0) console.log(`${formatDollars(cost)}  ${prompt}`);
    prompt = item.blocks.find((block) => block.kind === "text")?.text ?? "";
    cost = 0;
  }
  cost += item.usage?.cost_usd ?? 0;
}
console.log(`${formatDollars(cost)}  ${prompt}`);
console.log(`${title}: ${formatDollars(usage.cost_usd ?? 0)} with all branches`);
