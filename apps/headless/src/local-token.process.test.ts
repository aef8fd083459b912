import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Service, testBinary, until } from "./binary.fixture.ts";

const binary = testBinary("local-token");

const serverFile = () => join(binary.folder, ".local", "share", "session-manager", "server.json");

/** Serves with the token of the start, and gives that. */
async function serve(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Service & { token: string }> {
  await mkdir(join(binary.folder, ".config"), { recursive: true });
  await writeFile(join(binary.folder, ".config", "session-manager.json"), '{"local_token": true}');
  const service = await binary.serve(args, env);
  const { token } = await until(() => readFile(serverFile(), "utf8").then(JSON.parse, () => undefined));
  return { ...service, token };
}

const ping = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: '{"command": "ping"}',
  }).then(({ status }) => status);

describe("where the token of the start is asked for", () => {
  it("commands find it by themselves, and say it nowhere", async () => {
    const { url, token, output } = await serve();
    expect([await ping(url), await ping(url, { Authorization: `Bearer ${token}` })]).toEqual([401, 200]);
    for (const args of [
      ["call", "list_terminals"],
      ["terminals", "list"],
      ["list", "--json"],
    ]) {
      const { output: said, ended } = binary.run(args);
      expect({ ...(await ended), stderr: said.stderr }).toEqual({ code: 0, signal: null, stderr: "" });
      expect(said.stdout).not.toContain(token);
    }
    // Standard output and error may be kept in a log.
    expect(output.stderr).toContain(`which is in ${serverFile()}\n`);
    expect(output.stdout + output.stderr).not.toContain(token);
  });

  it("the program that holds its pipes is told in the first line, and so is one that joins", async () => {
    await serve();
    const { token } = JSON.parse(await readFile(serverFile(), "utf8"));
    const joining = binary.run(["--join", "--exit-with-parent"], {}, "");
    await joining.ended;
    expect(joining.output.stdout).toMatch(
      new RegExp(`^Session Manager is already listening on http://127\\.0\\.0\\.1:\\d+/\\?token=${token}\n$`),
    );
    const other = binary.run(["--join"]);
    await other.ended;
    expect(other.output.stdout).toMatch(/^Session Manager is already listening on http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  it.runIf(process.platform === "linux")("--open hands it to the browser", async () => {
    const programs = join(binary.folder, "bin");
    await mkdir(programs);
    const opened = join(binary.folder, "opened");
    await writeFile(
      join(programs, "xdg-open"),
      `#!/bin/sh\nprintf %s "$1" > "${opened}.part"\nmv "${opened}.part" "${opened}"\n`,
    );
    await chmod(join(programs, "xdg-open"), 0o755);
    const { url, token, output } = await serve(["--open"], { PATH: `${programs}:${process.env.PATH}` });
    expect(await until(() => readFile(opened, "utf8").catch(() => undefined))).toBe(`${url}/?token=${token}`);
    expect(output.stdout + output.stderr).not.toContain(token);
  });
});

it("sends nothing but a nonce to whoever has taken the port of a service that was killed", async () => {
  const { port, child, ended, token } = await serve();
  const file = JSON.parse(await readFile(serverFile(), "utf8"));
  child.kill("SIGKILL");
  await ended;
  const asked: string[] = [];
  const impostor = createServer(({ method, url = "", headers }, response) => {
    asked.push(`${method} ${url} ${headers.authorization}`);
    response.end(JSON.stringify({ status: "ok", api_version: 1, proof: "00" }));
  });
  await until(
    () =>
      new Promise<true | undefined>((resolve) => {
        impostor.once("error", () => resolve(undefined));
        impostor.listen(port, "127.0.0.1", () => resolve(true));
      }),
  );
  expect((impostor.address() as AddressInfo).port).toBe(port);
  // Its number is another process's now.
  await writeFile(serverFile(), JSON.stringify({ ...file, pid: process.pid }), { mode: 0o600 });
  const listing = binary.run(["list", "--json"]);
  expect(await listing.ended).toMatchObject({ code: 0 });
  expect(asked).toEqual([expect.stringMatching(/^GET \/health\?nonce=[0-9a-f]{32} undefined$/)]);
  expect(asked.join()).not.toContain(token);
  impostor.close();
});
