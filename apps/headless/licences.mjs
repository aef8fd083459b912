import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Collects the licence texts of all packages in a bundle. */
export async function licencesOf(files, workingDirectory) {
  const paths = files.map((file) => PACKAGE.exec(resolve(workingDirectory, file).replaceAll("\\", "/"))?.[1]);
  const folders = [...new Set(paths.filter((path) => path !== undefined))];
  const licences = await Promise.all(folders.map(licenceOf));
  return [...new Set(licences)].sort().join("\n");
}

async function licenceOf(folder) {
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) throw new Error(`${folder} has no package.json to read its licence from.`);
  const { name, version, license } = JSON.parse(await readFile(manifest, "utf8"));
  const file = (await readdir(folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text = file === undefined ? "" : `\n${(await readFile(join(folder, file), "utf8")).trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}
