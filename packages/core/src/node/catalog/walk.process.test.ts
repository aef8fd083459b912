import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { SessionText, scanAll, TestHome, untilIndexed } from "../library/library.fixture.ts";
import { Catalog } from "./catalog.ts";
import { openCatalog, prepareIndex } from "./index-databases.ts";
import { LookAhead, walk } from "./walk.ts";

function canLimit(): boolean {
  try {
    execFileSync("prlimit", ["--pid", String(process.pid), "--nofile"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Lets this process open no more files, until the shell that waits sets the limit back. */
async function openNothing(): Promise<() => Promise<void>> {
  const limit = (value: string) => `prlimit --pid ${process.pid} --nofile=${value}`;
  const script = `before=$(${limit("").replace("=", "")} -o SOFT --noheadings); ${limit("3:")}; echo limited; read line; ${limit("$before:")}`;
  const shell = spawn("sh", ["-c", script], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(shell, "exit");
  await once(shell.stdout, "data");
  return async () => {
    shell.stdin.end("\n");
    await exited;
  };
}

it.runIf(canLimit())("sessions of a directory are not gone because no file can be opened", async () => {
  await using home = await TestHome.create();
  for (const name of ["a", "b"]) await home.write(`p/${name}.jsonl`, new SessionText().user(name).lines);
  const library = await home.open({ watch: false });
  await untilIndexed(library);
  expect(await scanAll(library)).toHaveLength(2);
  await library.close();
  const catalog = new Catalog(openCatalog(prepareIndex(home.data, 1).place));
  const directories = { directories: [home.sessions], missing: [], now: Date.now() };
  const allow = await openNothing();
  try {
    const { problems, removed, left, missing } = walk(directories, catalog, new LookAhead());
    expect(problems).toEqual([{ path: home.sessions, code: "EMFILE" }]);
    expect({ removed, left, missing }).toEqual({ removed: [], left: [], missing: [] });
  } finally {
    await allow();
    catalog.close();
  }
});
