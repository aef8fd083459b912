// Writes a session as one HTML page: node export-html.mjs session.jsonl session.html
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { exportHtml, openTranscript } from "@sm/core";

const [input, output] = process.argv.slice(2);
const transcript = await openTranscript(createReadStream(input));
const page = exportHtml(transcript, { include_thinking: true, include_tools: true });
await pipeline(page, createWriteStream(output));
console.log(`${transcript.title}: ${output}`);
