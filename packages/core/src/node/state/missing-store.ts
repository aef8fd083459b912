import { AppError } from "../../errors.ts";
import { errorCode } from "../files/file-errors.ts";
import type { UserState } from "./ports.ts";

/** What the file system and SQLite say when there is no room left. */
const FULL = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);

/** Whether opening the user state failed only because the disk is full: sessions can be read all the same. */
export function isDiskFull(error: unknown): error is AppError {
  return error instanceof AppError && FULL.has(errorCode(error.cause));
}

/** Stands in for a user state that cannot be opened: there is nothing in it, and nothing can be put there. */
export function missingUserState(reason: AppError): UserState {
  const problem = `Tags, favorites and API tokens are not available: ${reason.message}`;
  const refuse = async () => {
    throw new AppError("UNAVAILABLE", problem, { cause: reason });
  };
  return {
    problem,
    marks: {
      marks: async () => new Map(),
      toggleFavorite: refuse,
      setName: refuse,
      names: async () => new Map(),
      setArchived: refuse,
      archived: async () => new Set(),
      favorites: async () => [],
      sessionsWithTags: async () => [],
      sessionsUnderTag: async () => new Set(),
      marked: async () => [],
      forget: async () => undefined,
      follow: async () => [],
    },
    tags: {
      list: async () => [],
      assignments: async () => [],
      create: refuse,
      update: refuse,
      takeOff: refuse,
      delete: refuse,
      assign: refuse,
      remove: refuse,
    },
    bookmarks: { set: refuse, list: async () => [], paths: async () => [] },
    notes: { set: refuse, pages: async function* () {}, paths: async () => [] },
    tokens: { list: refuse, create: refuse, revoke: refuse, verify: () => null, onEnd: () => () => undefined },
    versions: { add: refuse, latest: refuse, list: refuse, get: refuse },
    configuration: { values: async () => ({}), change: refuse, marks: refuse, addMarks: refuse },
    backUpIfDue: () => undefined,
    close: async () => undefined,
  };
}
