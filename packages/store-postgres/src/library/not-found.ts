import { AppError } from "@sm/core";

/** For a path that no session of the user has. */
export function notFound(path: string): AppError {
  return new AppError("NOT_FOUND", `There is no session ${path}.`);
}
