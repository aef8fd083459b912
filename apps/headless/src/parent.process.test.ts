import { spawn } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, testBinary, until } from "./binary.fixture.ts";

const binary = testBinary("parent");

/** Starts the program after it and holds its standard input, until it is killed. */
const PARENT = `
const [program, ...args] = process.argv.slice(1);
require("node:child_process").spawn(process.execPath, [program, ...args], { stdio: ["pipe", "inherit", "inherit"] });
setInterval(() => {}, 1_000);
`;

/** Of the service and its parent. Closed when both have gone. */
function startWithParent(args: readonly string[]) {
  const parent = spawn(process.execPath, ["-e", PARENT, binary.path, "--port", "0", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH, HOME: binary.folder, TMPDIR: binary.folder },
  });
  const log = { text: "" };
  parent.stdout.setEncoding("utf8").on("data", (text) => (log.text += text));
  const closed = new Promise<void>((resolve) => parent.once("close", () => resolve()));
  return { parent, log, closed };
}

const serverFile = () => join(binary.folder, ".local", "share", "session-manager", "server.json");

const addressIn = (text: string) => /^Session Manager is listening on (http:\S+)\n/.exec(text)?.[1];

describe("--exit-with-parent", () => {
  it("ends the service in order when the program that started it is killed", async () => {
    const { parent, log, closed } = startWithParent(["--exit-with-parent"]);
    const url = await until(() => addressIn(log.text));
    await call(url, "ping");
    parent.kill("SIGKILL");
    await closed;
    expect(log.text).toContain("The service has stopped.");
    await expect(access(serverFile())).rejects.toThrow();
  });

  it("is wished for: without it the service stays", async () => {
    const { parent, log, closed } = startWithParent([]);
    const url = await until(() => addressIn(log.text));
    const ended = new Promise((resolve) => parent.once("exit", resolve));
    parent.kill("SIGKILL");
    await ended;
    expect(await call(url, "ping")).toEqual({ pong: true });
    const { pid } = JSON.parse(await readFile(serverFile(), "utf8"));
    process.kill(pid, "SIGTERM");
    await closed;
  });

  it("ends a service at once whose input has ended before it began", async () => {
    const { output, ended } = binary.run(["--port", "0", "--exit-with-parent"], {}, "");
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(output.stdout).toContain("The service has stopped.");
  });
});

describe("--join", () => {
  it("names the service that uses the same data directory, and ends", async () => {
    const { url } = await binary.serve();
    const second = binary.run(["--join", "--port", "0"]);
    expect(await second.ended).toEqual({ code: 0, signal: null });
    expect(second.output).toEqual({ stdout: `Session Manager is already listening on ${url}\n`, stderr: "" });
    await call(url, "ping");
  });

  it("serves where there is none, or only what a killed one has left", async () => {
    const { url, child, ended } = await binary.serve(["--join"]);
    await call(url, "ping");
    child.kill("SIGKILL");
    await ended;
    const next = await binary.serve(["--join"]);
    await call(next.url, "ping");
  });
});
