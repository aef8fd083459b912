import { AppError } from "../../errors.ts";

/** The `code` of a file system error, "" for any other error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Error codes for existing but inaccessible files. */
const REFUSALS = new Set(["EACCES", "EPERM", "EIO", "EISDIR", "ELOOP"]);

export function isRefusal(code: string): boolean {
  return REFUSALS.has(code);
}

/** Whether the error code means that the file does not exist. */
export function isAbsence(code: string): boolean {
  return code === "ENOENT" || code === "ENOTDIR";
}

/** The file changed while it was read. */
export function changedMeanwhile(path: string): AppError {
  return new AppError("CONFLICT", `${path} was changed while it was read; try again.`);
}

/**
 * Runs an action on a file and converts file system errors for the caller.
 *
 * @throws AppError of `fileError`, and what the action throws.
 */
export async function describeFileErrors<T>(
  doing: "read" | "write",
  path: string,
  action: () => T | Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw fileError(error, doing, path) ?? error;
  }
}

/** Converts a file system error for the caller; `null` for other errors. */
export function fileError(error: unknown, doing: "read" | "write", path: string): AppError | null {
  switch (errorCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
    case "EISDIR":
      return new AppError("NOT_FOUND", `${path} does not exist.`, { cause: error });
    case "ELOOP":
    case "ENXIO":
      return new AppError("FORBIDDEN", `${path} is not opened: it is a link, was moved, or is not a regular file.`, {
        cause: error,
      });
    case "EMFILE":
    case "ENFILE":
      return new AppError(
        "UNAVAILABLE",
        `Too many files are open to ${doing} ${path}; try again in a moment, or raise the limit of open files (ulimit -n).`,
        { cause: error, details: { retry_after_ms: 1_000 } },
      );
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return doing === "write"
        ? new AppError("READ_ONLY", `${path} cannot be written; check its permissions or mount it writable.`, {
            cause: error,
          })
        : new AppError("FORBIDDEN", `${path} cannot be read; check its permissions.`, { cause: error });
    case "EFBIG":
      // For a write, the code means a file size limit of the process.
      return doing === "read"
        ? new AppError("PAYLOAD_TOO_LARGE", `${path} is too large.`, { cause: error })
        : noSpace(error, path);
    case "ENOSPC":
    case "EDQUOT":
      return noSpace(error, path);
    case "EEXIST":
      return new AppError("CONFLICT", `${path} exists already.`, { cause: error });
    case "ENAMETOOLONG":
      return doing === "write"
        ? new AppError("CONFLICT", `${path} cannot be written: its name is too long for the disk.`, { cause: error })
        : null;
    default:
      return null;
  }
}

function noSpace(cause: unknown, path: string): AppError {
  const message = `There is no space left to write ${path}; free some space on its disk, then try again.`;
  return new AppError("UNAVAILABLE", message, { cause });
}
