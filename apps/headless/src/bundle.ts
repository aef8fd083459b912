import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/** Version, platform and architecture of the Node that ran the build; set by it. */
declare const SESSION_MANAGER_BUILT_WITH: string;

/** Behind what V8 has compiled: the checksum of the bundle and of that. */
const CHECKSUM_BYTES = 4;

/**
 * Loads a bundle that lies beside this code, as `require` would, with the functions that a start needs compiled
 * beforehand (`code-cache.mjs`), which takes half of the time. Where that is not there, is damaged, or is of another Node
 * or for other settings of V8, they are compiled as usual.
 */
export function loadBundle(name: string): unknown {
  const path = fileURLToPath(new URL(name, import.meta.url));
  const source = readFileSync(path);
  // The build has left ASCII alone, and a function around it: to decode it, or to add anything, would copy it once more.
  const script = new Script(source.toString("latin1"), { filename: path, cachedData: readCodeCache(path, source) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module, path, dirname(path), extern);
  return module.exports;
}

/** What runs as a script has no `import()` in Node 20, so the build makes it call this. */
function extern(name: string): Promise<unknown> {
  return import(name);
}

function readCodeCache(path: string, source: Buffer): Buffer | undefined {
  const isBuildNode = SESSION_MANAGER_BUILT_WITH === `${process.version}-${process.platform}-${process.arch}`;
  // Node has it from 20.15 on.
  if (!isBuildNode || crc32 === undefined) return undefined;
  let cache: Buffer;
  try {
    cache = readFileSync(`${path}.cache`);
  } catch {
    return undefined;
  }
  const compiled = cache.subarray(0, -CHECKSUM_BYTES);
  // V8 itself looks only at lengths.
  const isWhole =
    cache.length > CHECKSUM_BYTES && cache.readUInt32LE(compiled.length) === crc32(compiled, crc32(source));
  return isWhole ? compiled : undefined;
}
