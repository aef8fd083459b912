import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Compiles a program of this folder to WebAssembly. */
export async function compile(name) {
  let code = null;
  const options = [`${name}.ts`, "--outFile", "out.wasm", "--runtime", "stub", "--enable", "simd"];
  const { error, stderr } = await asc.main([...options, "-O3", "--noAssert", "--use", "abort="], {
    readFile: (path) => readFile(here(path), "utf8").catch(() => null),
    writeFile: (_, contents) => {
      code = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || code === null) throw new Error(`${name} cannot be compiled.\n${stderr}`);
  return code;
}

/** Where each compiled program is kept, beside the code that uses it. */
export const PLACES = {
  json: "../src/node/session-file/json-code.ts",
  terms: "../src/node/postings/terms-code.ts",
  lists: "../src/node/postings/lists-code.ts",
  decoding: "../src/node/postings/decoding-code.ts",
};

/** What the file of a compiled program has to be. */
export async function moduleOf(name) {
  const code = Buffer.from(await compile(name)).toString("base64");
  return `/** \`assembly/${name}.ts\`, compiled by \`node assembly/build.mjs\`. */\nexport const CODE =\n  "${code}";\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, place] of Object.entries(PLACES)) await writeFile(here(place), await moduleOf(name));
}
