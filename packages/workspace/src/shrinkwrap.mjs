import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { layOutDependencies, readManifest } from "./dependencies.mjs";
import { giveUp } from "./run.mjs";

// npm asks the registry that it is configured for instead of this one.
const REGISTRY = "https://registry.npmjs.org";
/** What npm keeps of a package.json in its lockfile. */
const KEPT = ["license", "os", "cpu", "libc", "dependencies", "optionalDependencies", "engines"];
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

const [folder, lockfile] = process.argv.slice(2);
if (lockfile === undefined)
  giveUp("Say of what: node packages/workspace/src/shrinkwrap.mjs <package> <pnpm-lock.yaml>");
// As a whole: another process may be packing.
const written = join(folder, "node_modules", `.npm-shrinkwrap-${process.pid}.json`);
writeFileSync(written, `${JSON.stringify(describe(), null, 2)}\n`);
renameSync(written, join(folder, "npm-shrinkwrap.json"));

/** npm's lockfile, which is heeded in a package that others install: the versions that are installed and tested here. */
function describe() {
  const locked = readFileSync(lockfile, "utf8");
  const manifest = readManifest(folder);
  const { name, version } = manifest;
  const packages = layOutDependencies(folder)
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ source, path, isOptional }) => [path, describePackage(source, isOptional, locked)]);
  const root = { name, version, ...describeManifest(manifest) };
  return { name, version, lockfileVersion: 3, requires: true, packages: { "": root, ...Object.fromEntries(packages) } };
}

function describePackage(source, isOptional, locked) {
  const manifest = readManifest(source);
  const { name, version, scripts = {} } = manifest;
  // Without a script of its own, npm compiles what has a binding.gyp.
  const isInstalledByScript =
    INSTALL_SCRIPTS.some((script) => script in scripts) || existsSync(join(source, "binding.gyp"));
  return {
    version,
    resolved: `${REGISTRY}/${name}/-/${name.replace(/^@.*\//, "")}-${version}.tgz`,
    integrity: integrityOf(name, version, locked),
    ...(isOptional && { optional: true }),
    ...(isInstalledByScript && { hasInstallScript: true }),
    ...describeManifest(manifest),
  };
}

function describeManifest(manifest) {
  const { name, bin } = manifest;
  const kept = KEPT.filter((key) => key in manifest).map((key) => [key, manifest[key]]);
  if (bin === undefined) return Object.fromEntries(kept);
  const programs = typeof bin === "string" ? { [name.replace(/^@.*\//, "")]: bin } : bin;
  const paths = Object.entries(programs).map(([program, path]) => [program, path.replace(/^\.\//, "")]);
  return { ...Object.fromEntries(kept), bin: Object.fromEntries(paths) };
}

function integrityOf(name, version, locked) {
  const heading = `${name}@${version}`.replace(/[.+]/g, "\\$&");
  const entry = new RegExp(`^  '?${heading}'?:\\n    resolution: \\{integrity: ([^,}]+)[,}]`, "m");
  const integrity = entry.exec(locked)?.[1];
  if (integrity === undefined) giveUp(`${lockfile} has no checksum of ${name} ${version}.`);
  return integrity;
}
