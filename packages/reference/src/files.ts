import { commandsPage } from "./commands-page.ts";
import { exportSchemaDocument } from "./export-schema.ts";
import { openApiDocument } from "./openapi.ts";

/** Makes the contents of every generated file, by its name in docs/api. */
export function referenceFiles(): Record<string, string> {
  return {
    "commands.md": commandsPage(),
    "export.schema.json": `${JSON.stringify(exportSchemaDocument(), null, 2)}\n`,
    "openapi.json": `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  };
}
