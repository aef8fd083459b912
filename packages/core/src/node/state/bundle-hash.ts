import { createHash } from "node:crypto";
import { isJsonObject, type JsonObject } from "../../json.ts";

/** SHA-256 of a configuration, the same for equal values whatever the order of their fields. */
export function bundleHash(bundle: JsonObject): string {
  return createHash("sha256").update(canonicalJson(bundle)).digest("hex");
}

/** Writes JSON so that equal values give equal texts, whatever the order of their fields. */
function canonicalJson(value: JsonObject): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    isJsonObject(field) ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1))) : field,
  );
}
