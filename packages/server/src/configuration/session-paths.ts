import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { PayloadIssue } from "@sm/core";
import { invalidPayload } from "@sm/router";

/**
 * Checks that every path of a payload's field is an absolute, existing directory.
 *
 * @throws AppError `INVALID_PAYLOAD` that names each invalid path.
 */
export async function checkDirectories(paths: readonly string[], field: string): Promise<void> {
  const problems = await Promise.all(paths.map(problemOf));
  const issues = problems.flatMap((message, index): PayloadIssue[] =>
    message === null ? [] : [{ path: `${field}.${index}`, message }],
  );
  if (issues.length > 0) throw invalidPayload(issues);
}

async function problemOf(path: string): Promise<string | null> {
  if (!isAbsolute(path)) return "Must be an absolute path.";
  try {
    return (await stat(path)).isDirectory() ? null : "Is not a directory.";
  } catch {
    return "Does not exist, or cannot be accessed.";
  }
}
