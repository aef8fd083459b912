import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { ROOT } from "./root.mjs";

/**
 * Programs in AssemblyScript. The source of one lies in `assembly/` of its folder; beside it lies the module that is
 * generated, and `constants.ts` with what both sides have to agree on.
 */
export const PROGRAMS = [
  { folder: "packages/core/src/node/session-file/wasm", name: "json" },
  { folder: "packages/text-index/src/wasm", name: "lists" },
  { folder: "packages/text-index/src/wasm", name: "terms" },
];

/** Compiles a program; gives its code, and its exports as TypeScript declares them. */
async function compile({ folder, name }) {
  const written = new Map();
  const flags = ["--runtime", "stub", "--enable", "simd", "-O3", "--noAssert", "--use", "abort=", "--bindings", "raw"];
  const { error, stderr } = await asc.main([`assembly/${name}.ts`, "--outFile", `${name}.wasm`, ...flags], {
    readFile: (path) => readFile(join(ROOT, folder, path), "utf8").catch(() => null),
    writeFile: (path, contents) => {
      written.set(path, contents);
    },
    listFiles: () => [],
  });
  const code = written.get(`${name}.wasm`);
  if (error !== null || code === undefined) throw new Error(`${folder}/${name} cannot be compiled.\n${stderr}`);
  return { code, declarations: String(written.get(`${name}.d.ts`)) };
}

/** The TypeScript module of a program: what it exports, and a function that makes an instance of it. */
export async function moduleOf(program) {
  const { code, declarations } = await compile(program);
  const functions = [...declarations.matchAll(/^ {2}export function (.+?);?$/gm)].map(
    // WebAssembly gives 0 or 1 for a boolean.
    ([, signature]) => `  ${signature.replace(/: boolean$/, ": number")};`,
  );
  return `// Generated from assembly/${program.name}.ts by \`node packages/workspace/src/wasm.mjs\`.

/** Addresses are bytes of the memory. */
export interface Program {
  memory: WebAssembly.Memory;
${functions.join("\n")}
}

let compiled: WebAssembly.Module | null = null;

/** Makes an instance; the program is compiled with the first one. */
export function instantiate(imports: WebAssembly.Imports = {}): Program {
  compiled ??= new WebAssembly.Module(Buffer.from(CODE, "base64"));
  // The compiler lists the exports above.
  return new WebAssembly.Instance(compiled, imports).exports as unknown as Program;
}

const CODE =
  "${Buffer.from(code).toString("base64")}";
`;
}

/** Where the module of a program lies. */
export function moduleFile({ folder, name }) {
  return join(ROOT, folder, `${name}.ts`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const program of PROGRAMS) await writeFile(moduleFile(program), await moduleOf(program));
}
