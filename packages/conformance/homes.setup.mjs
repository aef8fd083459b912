import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What services of tests keep for their user, such as what is deleted, is in a folder of the run, gone at its end. */
export function setup() {
  const homes = mkdtempSync(join(tmpdir(), "session-manager-homes-"));
  process.env.SESSION_MANAGER_TEST_HOMES = homes;
  return () => rmSync(homes, { recursive: true, force: true });
}
