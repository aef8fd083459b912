import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Chromium } from "./chromium.ts";

const WS = createRequire(import.meta.url).resolve("ws");

/** Stands in for the browser itself, and says whether its page is still there. */
const BROWSER = `
  const { WebSocketServer } = require(${JSON.stringify(WS)});
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" }, () =>
    console.error("DevTools listening on ws://127.0.0.1:" + server.address().port));
  server.on("connection", (socket) => socket.on("message", (data) => {
    const { id } = JSON.parse(data);
    socket.send(JSON.stringify({ id, result: { port: server.address().port } }));
  }));
  // Nothing is left of it, whatever the test comes to.
  setTimeout(() => process.exit(), 100_000);
`;

describe("a Chromium of one's own", () => {
  const { PATH } = process.env;
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "session-manager-chromium-"));
    process.env.PATH = `${folder}${delimiter}${PATH}`;
  });

  afterEach(() => {
    process.env.PATH = PATH;
    rmSync(folder, { recursive: true, force: true });
  });

  it("ends with all that belongs to it, where a script has started it", async () => {
    writeFileSync(join(folder, "browser.cjs"), BROWSER);
    const script = join(folder, "chromium");
    writeFileSync(script, `#!/bin/sh -e\n'${process.execPath}' '${join(folder, "browser.cjs")}'\n`);
    chmodSync(script, 0o755);
    const chromium = await Chromium.start(join(folder, "profile"));
    const { port } = (await chromium?.send("Browser.getVersion", {})) ?? {};
    expect(port).toBeTypeOf("number");
    await chromium?.stop();
    const isGone = () =>
      fetch(`http://127.0.0.1:${port}`).then(
        () => false,
        () => true,
      );
    await expect.poll(isGone).toBe(true);
  });
});
