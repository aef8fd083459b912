import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RealService, startRealService } from "../real-service.ts";
import { SampleHome } from "../sample-home.ts";
import {
  filesIn,
  installLibraries,
  LONGEST_INSTALLATION_MS,
  LONGEST_RUN_MS,
  link,
  type Packed,
  packAll,
  ROOT,
  run,
} from "./published.ts";
import { snippetsOf } from "./snippets.ts";

const MOST_BYTES = 4_000_000;

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
  // The client's WebSocket in Node.
  link(join(ROOT, "packages/transport-ws/node_modules/ws"), join(script, "node_modules/ws"));
  mkdirSync(join(folder, ".pi"));
  await SampleHome.write(join(folder, ".pi"));
  service = await startRealService();
  env = { PATH: process.env.PATH, HOME: folder };
}, LONGEST_INSTALLATION_MS);

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
      expect(other, one.tarball).toEqual([]);
      expect(
        files.filter((file) => /\.map$|\.(test|fixture)\.|\/test-/.test(file)),
        one.tarball,
      ).toEqual([]);
      if (one.manifest.name === "session-cli") expect(files).toContain("dist/licences.txt");
      expect(statSync(one.tarball).size).toBeLessThan(MOST_BYTES);
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

  it.each([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])(
    "have types, with module %s and moduleResolution %s",
    async (module, moduleResolution) => {
      const imports = entries("types").map((entry, index) => `export * as entry${index} from "${entry}";`);
      writeFileSync(join(script, "consumer.ts"), [...imports, TYPED_CALLS].join("\n"));
      const compilerOptions = {
        strict: true,
        target: "es2023",
        lib: ["es2023", "esnext.disposable"],
        module,
        moduleResolution,
        noEmit: true,
        skipLibCheck: true,
        types: ["node"],
      };
      writeFileSync(join(script, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["consumer.ts"] }));
      const compiler = join(ROOT, "node_modules/typescript/lib/tsc.js");
      expect(await run(script, env, process.execPath, [compiler])).toEqual({ code: 0, stdout: "", stderr: "" });
    },
    LONGEST_RUN_MS,
  );

  it.each([
    ["core", [/^When is high tide\?\nmessage\n$/, /^\d+ .+\n/]],
    ["agent", [/^$/]],
    ["router", [/^\d+ \[/]],
    ["server", [/status: '(ok|starting)'/]],
    ["terminal", [/42\r?\n/]],
    ["transport-http", [/pong: true/]],
    ["transport-sse", [/event: hello/]],
    ["transport-ws", [/"pong":true/]],
  ])("do what the README of %s shows", async (name, outputs) => {
    const codes = snippetsOf(join(ROOT, "packages", name, "README.md"));
    expect(codes).toHaveLength(outputs.length);
    for (const [index, code] of codes.entries()) {
      const file = `${name}-${index}.mjs`;
      writeFileSync(join(script, file), code.replaceAll("127.0.0.1:52131", new URL(service.url).host));
      const result = await run(script, env, process.execPath, [file]);
      expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(outputs[index] ?? "") });
    }
  });
});
