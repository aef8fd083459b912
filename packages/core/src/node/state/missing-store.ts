import { AppError } from "../../errors.ts";
import { errorCode } from "../file-errors.ts";
import type { StateStore } from "./store.ts";

/** What the file system and SQLite say when there is no room left. */
const FULL = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);

/** Whether opening the user state failed only because the disk is full: sessions can be read all the same. */
export function isDiskFull(error: unknown): error is AppError {
  return error instanceof AppError && FULL.has(errorCode(error.cause));
}

/** Stands in for a user state that cannot be opened: there are no marks, and none can be made. */
export function missingStateStore(reason: AppError): StateStore {
  const problem = `Tags and favorites are not available: ${reason.message}`;
  return {
    problem,
    marks: async () => new Map(),
    toggleFavorite: async () => {
      throw new AppError("UNAVAILABLE", problem, { cause: reason });
    },
    favorites: async () => [],
    sessionsWithTags: async () => new Set(),
    forget: async () => undefined,
    follow: async () => undefined,
    close: async () => undefined,
  };
}
