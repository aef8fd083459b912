import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionRecord, VaultCopy } from "@sm/core";
import { expect, it } from "vitest";
import { call, testBinary, until } from "./binary.fixture.ts";

const binary = testBinary("vault-copies");

const line = (text: string) =>
  `${JSON.stringify({ type: "message", id: text, parentId: null, timestamp: "2026-03-01T10:00:00.000Z", message: { role: "user", content: text } })}\n`;

function session(id: string, text: string): string {
  const header = { type: "session", version: 3, id, timestamp: "2026-03-01T10:00:00.000Z", cwd: "/home/dev/project" };
  return `${JSON.stringify(header)}\n${line(text)}`;
}

/** Copies with a process of its own. */
async function copy(direction: "export" | "import", directory: string): Promise<VaultCopy> {
  const { output, ended } = binary.run(["vault", direction, directory, "--json"]);
  expect({ ...(await ended), stderr: output.stderr }).toEqual({ code: 0, signal: null, stderr: "" });
  return JSON.parse(output.stdout) as VaultCopy;
}

async function sizes(directory: string): Promise<Map<string, number>> {
  const names = await readdir(directory, { recursive: true });
  const files = await Promise.all(names.map(async (name) => [name, await stat(join(directory, name))] as const));
  return new Map(files.flatMap(([name, one]) => (one.isFile() ? [[name, one.size] as const] : [])));
}

it("a vault is copied beside the running service, the next time only what is new, and read back on a fresh home", async () => {
  const sessions = join(binary.folder, ".pi/agent/sessions/p");
  const [a, b] = [join(sessions, "a.jsonl"), join(sessions, "b.jsonl")];
  await mkdir(sessions, { recursive: true });
  await writeFile(a, session("a", "otter".repeat(40_000)));
  await writeFile(b, session("b", "heron"));
  const service = await binary.serve();
  const kept = (count: number) =>
    until(async () => {
      const status = await call<{ sessions: number; pending: number; only_here: number }>(
        service.url,
        "get_vault_status",
      );
      return status.sessions === count && status.pending === 0 ? status : undefined;
    });
  await kept(2);

  const directory = join(binary.folder, "copy");
  expect(await copy("export", directory)).toMatchObject({ directory, sessions: 2, damaged: [] });
  const before = await sizes(directory);
  // Nothing is new but the list.
  const again = await copy("export", directory);
  expect(again.sessions).toBe(2);
  expect([...(await sizes(directory)).keys()].sort()).toEqual([...before.keys()].sort());

  await appendFile(b, line("kingfisher"));
  await writeFile(join(sessions, "c.jsonl"), session("c", "bittern"));
  await kept(3);
  const text = await readFile(b, "utf8");
  await until(async () => {
    const [newest] = await call<{ size_bytes: number }[]>(service.url, "list_generations", { path: b });
    return newest?.size_bytes === text.length ? true : undefined;
  });
  await rm(a);
  const added = await copy("export", directory);
  expect(added).toMatchObject({ sessions: 3, damaged: [] });
  expect(added.written_bytes).toBeLessThan(20_000);
  // The service has gone on meanwhile.
  expect(await call<object[]>(service.url, "list_generations", { path: b })).toHaveLength(1);

  // Another machine, with the same places.
  service.child.kill("SIGKILL");
  await service.ended;
  await rm(join(binary.folder, ".pi"), { recursive: true });
  await rm(join(binary.folder, ".local"), { recursive: true });
  await mkdir(sessions, { recursive: true });
  expect(await copy("import", directory)).toMatchObject({ sessions: 3, damaged: [] });
  const fresh = await binary.serve();
  const records = await until(async () => {
    const page = await call<{ sessions: SessionRecord[] }>(fresh.url, "list_sessions");
    return page.sessions.length === 3 ? page.sessions : undefined;
  });
  expect(records.map(({ source }) => source)).toEqual(["vault", "vault", "vault"]);
  expect(await call(fresh.url, "restore_session", { path: b })).toMatchObject({ path: b, source: "file" });
  expect(await readFile(b, "utf8")).toBe(text);
});
