import { IndexError } from "@sm/text-index/storage";
import { AppError, type ErrorCode, type ErrorDetails } from "../../errors.ts";
import { isCorrupt, isUnwritable } from "../storage/sqlite.ts";

/** Error of a task in a form that can be sent between threads. */
export interface TaskFailure {
  code: ErrorCode | null;
  message: string;
  details: ErrorDetails;
  stack: string | null;
  /** The index is damaged or not writable. */
  index: "damaged" | "unwritable" | null;
}

export function failureOf(error: unknown): TaskFailure {
  const known = error instanceof AppError ? error : null;
  const failure = error instanceof Error ? error : new Error(String(error));
  return {
    code: known?.code ?? null,
    message: failure.message,
    details: known?.details ?? null,
    stack: failure.stack ?? null,
    index:
      error instanceof IndexError
        ? error.kind
        : isCorrupt(error)
          ? "damaged"
          : isUnwritable(error)
            ? "unwritable"
            : null,
  };
}

export function errorOf(failure: TaskFailure): Error {
  if (failure.index !== null) return new IndexError(failure.index, failure.message);
  if (failure.code !== null) return new AppError(failure.code, failure.message, { details: failure.details });
  const error = new Error(failure.message);
  if (failure.stack !== null) error.stack = failure.stack;
  return error;
}
