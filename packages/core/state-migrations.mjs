import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

// `node packages/core/state-migrations.mjs --name NAME` has drizzle-kit write the migration from the last snapshot to
// src/node/state/schema.ts. Without a name it only writes embedded.ts again, from the SQL files.

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const FOLDER = "src/node/state/migrations";

/** Makes the text of embedded.ts: the migrations as constants, since bundles have no files beside them. */
export async function embeddedMigrations() {
  const { entries } = JSON.parse(await readFile(here(`${FOLDER}/meta/_journal.json`), "utf8"));
  const steps = entries.map(async ({ idx, tag }) => {
    const sql = await readFile(here(`${FOLDER}/${tag}.sql`), "utf8");
    return `  // ${tag}.sql\n  {\n    version: ${idx + 1},\n    sql: ${JSON.stringify(sql)},\n  },\n`;
  });
  return `// Generated from the SQL files by \`node packages/core/state-migrations.mjs\`.

import type { Migration } from "../migrate.ts";

/** All steps in order; together they make the tables of \`schema.ts\`. */
export const MIGRATIONS: readonly Migration[] = [
${(await Promise.all(steps)).join("")}];
`;
}

/** Adds a migration; drizzle-kit asks whether a column was renamed or replaced. */
function generate(flags) {
  const kit = here("node_modules/drizzle-kit/bin.cjs");
  const files = ["--dialect", "sqlite", "--schema", "src/node/state/schema.ts", "--out", FOLDER];
  const { status } = spawnSync(process.execPath, [kit, "generate", ...files, ...flags], {
    cwd: here("."),
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const flags = process.argv.slice(2);
  if (flags.length > 0) generate(flags);
  await writeFile(here(`${FOLDER}/embedded.ts`), await embeddedMigrations());
}
