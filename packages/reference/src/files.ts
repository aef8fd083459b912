import { registry } from "@sm/router";
import { openApiDocument } from "@sm/router/description";
import { commandsPage } from "./commands-page.ts";
import { exportSchemaDocument } from "./export-schema.ts";

/** Makes the contents of every generated file, by its name in docs/api. */
export function referenceFiles(): Record<string, string> {
  return {
    "commands.md": commandsPage(),
    "export.schema.json": `${JSON.stringify(exportSchemaDocument(), null, 2)}\n`,
    "openapi.json": `${JSON.stringify(openApiDocument(registry), null, 2)}\n`,
  };
}
