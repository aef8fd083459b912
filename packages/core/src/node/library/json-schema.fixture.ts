import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";

const SCHEMA = new URL("../../../../../docs/api/export.schema.json", import.meta.url);

const validate = new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(readFileSync(SCHEMA, "utf8")));

/** What the published schema finds wrong with a JSON export. */
export function schemaProblems(json: string): string[] {
  if (validate(JSON.parse(json))) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
