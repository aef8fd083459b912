import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RealService, startRealService } from "../real-service.ts";
import { SampleHome } from "../sample-home.ts";
import { filesIn, type Packed } from "./packed.ts";
import { installLibraries, link, MAX_INSTALLATION_MS, MAX_RUN_MS, packAll, ROOT, run } from "./published.ts";
import { snippetsOf } from "./snippets.ts";

/** What has come for hubs (search on PostgreSQL, signing in, an object store) takes 0.2 MB of it. */
const MAX_BYTES = 4_200_000;

/** A client's program in which one line is wrong. */
const TYPED_CALLS = `
import { createClient } from "@sm/router/client";
const client = createClient({ url: "http://127.0.0.1:1" });
const { sessions } = await client.call("list_sessions", { limit: 1 });
export const titles: string[] = sessions.map(({ title }) => title);
// @ts-expect-error There is no such field.
await client.call("list_sessions", { limitt: 1 });
`;

const folder = mkdtempSync(join(tmpdir(), "session-manager-install-"));
const script = join(folder, "script");
const sessions = join(folder, ".pi/agent/sessions");
let packed: Packed[];
let service: RealService;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  packed = packAll(join(folder, "packed"));
  installLibraries(
    packed.filter(({ manifest }) => manifest.name.startsWith("@sm/")),
    script,
  );
  link(join(ROOT, "node_modules/@types/node"), join(script, "node_modules/@types/node"));
  mkdirSync(join(folder, ".pi"));
  await SampleHome.write(join(folder, ".pi"));
  service = await startRealService();
  env = { PATH: process.env.PATH, HOME: folder };
}, MAX_INSTALLATION_MS);

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, maxRetries: 3 });
});

describe("what is published", () => {
  it("has what people and licences ask for, and no more", () => {
    for (const one of packed) {
      const files = filesIn(one);
      expect(files, one.tarball).toEqual(expect.arrayContaining(["README.md", "LICENSE", "package.json"]));
      const other = files.filter((file) => !/^(dist\/.+|README\.md|LICENSE|CHANGELOG\.md|package\.json)$/.test(file));
      // Libraries leave it to whoever uses them which versions they get.
      expect(other, one.tarball).toEqual(one.manifest.name === "session-cli" ? ["npm-shrinkwrap.json"] : []);
      expect(
        files.filter((file) => /\.map$|\.(test|fixture)\.|\/test-/.test(file)),
        one.tarball,
      ).toEqual([]);
      if (one.manifest.name === "session-cli") expect(files).toContain("dist/licences.txt");
      expect(statSync(one.tarball).size).toBeLessThan(MAX_BYTES);
    }
  });

  it("has one version", () => {
    expect(new Set(packed.map(({ manifest }) => manifest.version)).size).toBe(1);
  });
});

describe("the libraries, installed", () => {
  /** Everything that one can import, or that has types. */
  function entries(condition: string): string[] {
    return packed.flatMap(({ manifest: { name, exports = {} } }) =>
      Object.entries(exports)
        .filter(
          ([, conditions]) => condition === "default" || (typeof conditions === "object" && condition in conditions),
        )
        .map(([entry]) => name + entry.slice(1)),
    );
  }

  it("can be imported", async () => {
    expect(entries("default")).toEqual(expect.arrayContaining(["@sm/core", "@sm/core/node", "@sm/router/client"]));
    const code = `${entries("default")
      .map((entry) => `await import("${entry}");`)
      .join("\n")}\nprocess.exit(0);\n`;
    writeFileSync(join(script, "imports.mjs"), code);
    expect(await run(script, env, process.execPath, ["imports.mjs"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("bring the types of Node along where they need them", () => {
    const neutral = /^@sm\/(agent\/commented-json$|router\b|text-index\b|core(\/(highlighting|input|rendering))?$)/;
    const withoutTypes = entries("types").filter((entry) => {
      if (neutral.test(entry)) return false;
      const [, name = "", path] = /^(@sm\/[^/]+)(\/.+)?$/.exec(entry) ?? [];
      const { exports = {} } = packed.find(({ manifest }) => manifest.name === name)?.manifest ?? {};
      const { types } = exports[`.${path ?? ""}`] as { types: string };
      const text = readFileSync(join(script, "node_modules", name, types), "utf8");
      return !text.startsWith('/// <reference types="node"');
    });
    expect(withoutTypes).toEqual([]);
  });

  /** What browsers and workers import too. */
  const NEUTRAL = [
    "@sm/core",
    "@sm/core/highlighting",
    "@sm/core/rendering",
    "@sm/router",
    "@sm/router/client",
    "@sm/text-index/analysis",
  ];

  // Without skipLibCheck, and without the "types" that TypeScript 6 no longer looks for by itself: declarations may name
  // nothing that a consumer does not have.
  it.each([
    ["Node", "nodenext", "nodenext"],
    ["Node", "esnext", "bundler"],
    ["a browser", "nodenext", "nodenext"],
    ["a browser", "esnext", "bundler"],
  ])(
    "have types for %s, with module %s and moduleResolution %s",
    async (engine, module, moduleResolution) => {
      const isNode = engine === "Node";
      const imports = (isNode ? entries("types") : NEUTRAL).map(
        (entry, index) => `export * as entry${index} from "${entry}";`,
      );
      expect(entries("types")).toEqual(expect.arrayContaining(NEUTRAL));
      const consumer = `consumer-${isNode ? "node" : "browser"}-${module}`;
      writeFileSync(join(script, `${consumer}.ts`), [...imports, TYPED_CALLS].join("\n"));
      const compilerOptions = {
        strict: true,
        target: "es2023",
        lib: isNode ? ["es2023"] : ["es2023", "dom", "dom.iterable"],
        module,
        moduleResolution,
        noEmit: true,
        types: [],
      };
      const project = join(script, `${consumer}.json`);
      writeFileSync(project, JSON.stringify({ compilerOptions, include: [`${consumer}.ts`] }));
      const compiler = join(ROOT, "node_modules/typescript/lib/tsc.js");
      const result = await run(script, env, process.execPath, [compiler, "--project", project]);
      expect(result).toEqual({ code: 0, stdout: "", stderr: "" });
    },
    MAX_RUN_MS,
  );

  describe("@sm/core without its optional peers", () => {
    /** Opens a library over a session file, and deletes the session. */
    const DELETE = `
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openLibrary } from "@sm/core/node";
const agentHome = join(homedir(), ".pi");
const silent = { info() {}, warn() {}, error() {} };
try {
  const library = await openLibrary({
    agentHome, agentDir: join(agentHome, "agent"), sessionPaths: [], dataDir: process.argv[2], watch: false, log: silent,
  });
  for await (const _session of await library.scan()) break;
  const [session] = (await library.list({ sort: "modified", order: "desc", limit: 1 })).sessions;
  await library.delete(session.path, { force: false }).finally(() => library.close());
} catch ({ code, message }) {
  console.log(code, message);
}
`;

    it.each([
      ["better-sqlite3", [], /^UNAVAILABLE SQLite .+ run `npm install better-sqlite3`\.\n$/],
      ["trash", ["better-sqlite3"], /^UNAVAILABLE .+ run `npm install trash`\.\n$/],
    ])("says what to install where %s is missing", async (missing, peers, advice) => {
      const bare = join(folder, `without-${missing}`);
      installLibraries(
        packed.filter(({ manifest }) => ["@sm/core", "@sm/text-index"].includes(manifest.name)),
        bare,
      );
      for (const peer of peers) {
        link(join(ROOT, "packages/core/node_modules", peer), join(bare, "node_modules", peer));
      }
      writeFileSync(join(bare, "delete.mjs"), DELETE);
      const before = readdirSync(sessions, { recursive: true });
      const result = await run(bare, env, process.execPath, ["delete.mjs", join(bare, "data")]);
      expect(result).toEqual({ code: 0, stdout: expect.stringMatching(advice), stderr: "" });
      expect(readdirSync(sessions, { recursive: true })).toEqual(before);
    });
  });

  it(
    "compose the server of the guide",
    async () => {
      const guide = join(ROOT, "docs/composing-a-server.md");
      const [program = ""] = snippetsOf(guide, "ts");
      const [start = ""] = snippetsOf(guide);
      writeFileSync(join(script, "notes-server.ts"), program);
      writeFileSync(join(script, "start.mjs"), start);
      const compilerOptions = {
        strict: true,
        target: "es2023",
        lib: ["es2023"],
        module: "nodenext",
        types: ["node"],
        rootDir: ".",
      };
      writeFileSync(join(script, "notes.json"), JSON.stringify({ compilerOptions, include: ["notes-server.ts"] }));
      const compiler = join(ROOT, "node_modules/typescript/lib/tsc.js");
      const compiled = await run(script, env, process.execPath, [compiler, "--project", "notes.json"]);
      expect(compiled).toEqual({ code: 0, stdout: "", stderr: "" });

      const child = spawn(process.execPath, ["start.mjs"], { cwd: script, env: { ...env, PORT: "0" } });
      const ended = once(child, "exit");
      const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended]);
      const url = /^Listening on (http:\S+)$/.exec(String(line))?.[1];
      const response = await fetch(`${url}/api`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ command: "set_note", payload: { path: "/s.jsonl", text: "Read again." } }),
      });
      expect(await response.json()).toMatchObject({ data: { text: "Read again." } });
      child.kill();
      expect(await ended).toEqual([0, null]);
    },
    MAX_RUN_MS,
  );

  it.each([
    ["core", [/^When is high tide\?\nmessage\n$/, /^[1-9]\d* hits\n.+\n/]],
    ["agent", [/^$/]],
    ["router", [/^\d+ \[/]],
    ["server", [/status: '(ok|starting)'/]],
    ["terminal", [/42\r?\n/]],
    ["text-index", [/^1 \[ 'When is high tide\?' \]\n$/]],
    ["transport-http", [/pong: true/]],
    ["transport-mcp", [/^\d+ hits?\./]],
    ["transport-sse", [/event: hello/]],
    ["transport-ws", [/"pong":true/]],
  ])("do what the README of %s shows", async (name, outputs) => {
    const codes = snippetsOf(join(ROOT, "packages", name, "README.md"));
    expect(codes).toHaveLength(outputs.length);
    for (const [index, code] of codes.entries()) {
      const file = `${name}-${index}.mjs`;
      const asked = code.replaceAll("tide clock", "umlauts");
      writeFileSync(join(script, file), asked.replaceAll("127.0.0.1:52131", new URL(service.url).host));
      const result = await run(script, env, process.execPath, [file]);
      expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(outputs[index] ?? "") });
    }
  });
});
