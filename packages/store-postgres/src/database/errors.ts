import { AppError } from "@sm/core";

/** What drivers and PostgreSQL say where there is no connection, or no room for one more. */
const NOT_THERE = /^(08\w{3}|53300|57P0\d|ECONN\w+|ENOTFOUND|ETIMEDOUT|EPIPE|EHOSTUNREACH|EAI_AGAIN|ENOENT|EACCES)$/;
const WRONG_LOGIN = /^(28\w{3}|3D000)$/;
const FULL = /^53[01]00$/;
const IN_THE_WAY = /^(40001|40P01)$/;
const READ_ONLY = "25006";
const TIMED_OUT = "57014";
/** Drivers give no code for these. */
const LOST = /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** What went wrong in the database, as clients are told it; other errors as they are. */
export function explained(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const { code, message } = reasonOf(error);
  if (NOT_THERE.test(code) || LOST.test(message)) {
    return new AppError("UNAVAILABLE", `The database does not answer (${message}); try again in a moment.`, {
      cause: error,
      details: { retry_after_ms: 1_000 },
    });
  }
  if (WRONG_LOGIN.test(code)) {
    return new AppError("UNAVAILABLE", `The database refuses the connection (${message}); check its URL.`, {
      cause: error,
    });
  }
  if (FULL.test(code)) {
    return new AppError("UNAVAILABLE", `The database has no room left (${message}); give it some.`, { cause: error });
  }
  if (code === READ_ONLY) {
    return new AppError("READ_ONLY", "The database can only be read: it is a standby.", { cause: error });
  }
  if (code === TIMED_OUT) {
    return new AppError("UNAVAILABLE", "The database took too long; try again in a moment.", { cause: error });
  }
  return error;
}

/** Does something that fails as clients are told it. */
export async function explaining<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw explained(error);
  }
}

/** Whether the same may work later: there is no connection, no room, or another transaction was in the way. */
export function isPassing(error: unknown): boolean {
  // It was told so by whoever knows, on the other side of a thread perhaps.
  const details = error instanceof AppError ? error.details : null;
  if (details !== null && "retry_after_ms" in details) return true;
  const { code, message } = reasonOf(error);
  return (
    [NOT_THERE, WRONG_LOGIN, FULL, IN_THE_WAY].some((codes) => codes.test(code)) ||
    code === READ_ONLY ||
    LOST.test(message)
  );
}

/** Whether a row was refused because there is one with the same values. */
export function isDuplicate(error: unknown): boolean {
  return reasonOf(error).code === "23505";
}

/** Of the innermost cause: Drizzle wraps what the driver throws. */
function reasonOf(error: unknown): { code: string; message: string } {
  let reason = error;
  while (reason instanceof Error && reason.cause !== undefined) reason = reason.cause;
  if (!(reason instanceof Error)) return { code: "", message: "" };
  const { code = "" } = reason as Error & { code?: unknown };
  return { code: String(code), message: reason.message };
}
