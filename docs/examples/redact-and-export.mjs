// Writes a session without secrets as Markdown: node redact-and-export.mjs session.jsonl shared.md
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { exportMarkdown, openTranscript, redactTranscript } from "@sm/core";

const [input, output] = process.argv.slice(2);
const selection = { include_thinking: false, include_tools: true };
const transcript = await openTranscript(createReadStream(input), { order: "branch" });
const shared = redactTranscript(transcript, selection);
await pipeline(exportMarkdown(shared, selection), createWriteStream(output));
// Counted while it was written.
for (const { type, count } of shared.redactions()) console.log(`${count} × ${type}`);
