import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { serveProcess } from "./protocol.ts";

const context = { send: async () => null, ownSession: null, redacts: true, now: Date.now };
const options = { version: "1.0.0", onDefect: () => undefined };

it.each<[string, (streams: { stdin: PassThrough; stdout: PassThrough }) => void]>([
  ["its input ends", ({ stdin }) => stdin.end()],
  ["a message is too long", ({ stdin }) => stdin.write(" ".repeat(11 * 1_024 * 1_024))],
  ["nobody reads its answers", ({ stdout }) => stdout.destroy(new Error("EPIPE"))],
])("ends when %s", async (_case, happen) => {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough() };
  const ended = serveProcess(context, options, streams);
  happen(streams);
  await expect(ended).resolves.toBeUndefined();
});
