import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "./published.ts";

const WRITER = join(ROOT, "packages/workspace/src/shrinkwrap.mjs");
const APP = { name: "app", version: "3.0.0", license: "MIT", bin: { app: "./main.js" } };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "session-manager-shrinkwrap-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function install(path: string, manifest: object, ...files: string[]): void {
  mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, path, "package.json"), JSON.stringify(manifest));
  for (const file of files) writeFileSync(join(folder, path, file), "");
}

/** Writes the part of pnpm's lockfile that has the checksums: of each of these, its name is one. */
function lock(...packages: string[]): string {
  const path = join(folder, "pnpm-lock.yaml");
  const entries = packages.map((name) => {
    return `  ${name.startsWith("@") ? `'${name}'` : name}:\n    resolution: {integrity: sha512-${name}}\n`;
  });
  writeFileSync(path, `lockfileVersion: '9.0'\n\npackages:\n\n${entries.join("\n")}`);
  return path;
}

/** Runs the writer and returns what it has written, or what it says. */
function write(lockfile: string) {
  const { status, stderr } = spawnSync(process.execPath, [WRITER, folder, lockfile], { encoding: "utf8" });
  if (status !== 0) return stderr;
  return JSON.parse(readFileSync(join(folder, "npm-shrinkwrap.json"), "utf8"));
}

describe("the shrinkwrap", () => {
  it("has each package where npm puts it, with its checksum and what npm has to know before it is there", () => {
    install("", { ...APP, dependencies: { a: "^1", "@s/b": "1" }, optionalDependencies: { native: "1" } });
    install("node_modules/a", { name: "a", version: "1.2.3", engines: { node: ">=1" }, dependencies: { shared: "1" } });
    install("node_modules/a/node_modules/shared", { name: "shared", version: "1.0.0" });
    install("node_modules/@s/b", { name: "@s/b", version: "1.0.0", bin: "./b.js", dependencies: { shared: "2" } });
    install("node_modules/@s/b/node_modules/shared", { name: "shared", version: "2.0.0" });
    install("node_modules/native", { name: "native", version: "1.0.0", dependencies: { gyp: "1" } }, "binding.gyp");
    install("node_modules/gyp", { name: "gyp", version: "1.0.0", scripts: { postinstall: "x", test: "y" } });
    const written = write(lock("a@1.2.3", "shared@1.0.0", "shared@2.0.0", "@s/b@1.0.0", "native@1.0.0", "gyp@1.0.0"));
    const from = (file: string) => `https://registry.npmjs.org/${file}.tgz`;
    expect(written).toEqual({
      name: "app",
      version: "3.0.0",
      lockfileVersion: 3,
      requires: true,
      packages: {
        "": {
          ...APP,
          bin: { app: "main.js" },
          dependencies: { a: "^1", "@s/b": "1" },
          optionalDependencies: { native: "1" },
        },
        "node_modules/@s/b": {
          version: "1.0.0",
          resolved: from("@s/b/-/b-1.0.0"),
          integrity: "sha512-@s/b@1.0.0",
          bin: { b: "b.js" },
          dependencies: { shared: "2" },
        },
        "node_modules/@s/b/node_modules/shared": {
          version: "2.0.0",
          resolved: from("shared/-/shared-2.0.0"),
          integrity: "sha512-shared@2.0.0",
        },
        "node_modules/a": {
          version: "1.2.3",
          resolved: from("a/-/a-1.2.3"),
          integrity: "sha512-a@1.2.3",
          engines: { node: ">=1" },
          dependencies: { shared: "1" },
        },
        "node_modules/gyp": {
          version: "1.0.0",
          resolved: from("gyp/-/gyp-1.0.0"),
          integrity: "sha512-gyp@1.0.0",
          optional: true,
          hasInstallScript: true,
        },
        "node_modules/native": {
          version: "1.0.0",
          resolved: from("native/-/native-1.0.0"),
          integrity: "sha512-native@1.0.0",
          optional: true,
          hasInstallScript: true,
          dependencies: { gyp: "1" },
        },
        "node_modules/shared": {
          version: "1.0.0",
          resolved: from("shared/-/shared-1.0.0"),
          integrity: "sha512-shared@1.0.0",
        },
      },
    });
  });

  it("has what both an optional and another dependency need as no optional one", () => {
    install("", { ...APP, dependencies: { a: "1" }, optionalDependencies: { native: "1" } });
    install("node_modules/native", { name: "native", version: "1.0.0", dependencies: { shared: "1" } });
    install("node_modules/a", { name: "a", version: "1.0.0", dependencies: { shared: "1" } });
    install("node_modules/shared", { name: "shared", version: "1.0.0" });
    const { packages } = write(lock("a@1.0.0", "native@1.0.0", "shared@1.0.0"));
    expect(packages["node_modules/native"]).toMatchObject({ optional: true });
    expect(packages["node_modules/shared"]).not.toHaveProperty("optional");
  });

  it.each([
    ["a version that is not locked", "a@1.0.1", /pnpm-lock\.yaml has no checksum of a 1\.0\.0/],
    ["an optional package that is missing here", "a@1.0.0", /native is not installed/],
  ])("is not written with %s", (_, locked, message) => {
    const optionalDependencies = locked === "a@1.0.0" ? { native: "1" } : {};
    install("", { ...APP, dependencies: { a: "1" }, optionalDependencies });
    install("node_modules/a", { name: "a", version: "1.0.0" });
    expect(write(lock(locked))).toMatch(message);
  });
});
