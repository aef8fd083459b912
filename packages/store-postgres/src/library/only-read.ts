import { AppError } from "@sm/core";

/** The error of what would change a file, which is on its machine. */
export function onlyRead(what: string): AppError {
  return new AppError(
    "CONFLICT",
    `A session on a hub cannot be ${what} here; do it on its machine, which tells the hub.`,
  );
}
