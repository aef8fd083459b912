import type { ErrorCode, PayloadIssue } from "@sm/core";
import type { ConnectionErrorCode } from "@sm/router/client";
import { sqliteFailure } from "./sqlite-failure.ts";

/** Exit codes of the subcommands, as listed by `--help`. */
export const EXIT = { ok: 0, failure: 1, usage: 2, notFound: 3, refused: 4, unavailable: 5 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error detected by session-cli itself. The message and its further lines say what to do. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];

  constructor(exitCode: ExitCode, message: string, lines: readonly string[] = []) {
    super(message);
    this.exitCode = exitCode;
    this.lines = lines;
  }
}

const EXIT_OF_CODE: Record<ErrorCode | ConnectionErrorCode, ExitCode> = {
  INVALID_REQUEST: EXIT.usage,
  INVALID_PAYLOAD: EXIT.usage,
  UNKNOWN_COMMAND: EXIT.usage,
  UNSUPPORTED_MEDIA_TYPE: EXIT.usage,
  PAYLOAD_TOO_LARGE: EXIT.refused,
  NOT_FOUND: EXIT.notFound,
  UNAUTHORIZED: EXIT.refused,
  FORBIDDEN: EXIT.refused,
  CONFLICT: EXIT.refused,
  READ_ONLY: EXIT.refused,
  INTERNAL: EXIT.failure,
  RATE_LIMITED: EXIT.unavailable,
  UNAVAILABLE: EXIT.unavailable,
  TIMEOUT: EXIT.unavailable,
  NO_ANSWER: EXIT.unavailable,
  BAD_ANSWER: EXIT.unavailable,
  TIMED_OUT: EXIT.unavailable,
  CLOSED: EXIT.unavailable,
};

/** Report of a failure. `text` may contain control characters. */
export interface FailureReport {
  text: string;
  exitCode: ExitCode;
}

/** Describes any exception. Unexpected errors include the stack. */
export function describeFailure(error: unknown): FailureReport {
  if (error instanceof CliError) {
    return { text: [error.message, ...error.lines].join("\n"), exitCode: error.exitCode };
  }
  if (!(error instanceof Error)) return { text: String(error), exitCode: EXIT.failure };
  const sqlite = sqliteFailure(error);
  if (sqlite !== null) return { text: sqlite, exitCode: EXIT.failure };
  if (isCoded(error)) return { text: codedText(error), exitCode: EXIT_OF_CODE[error.code] };
  const isExplained = error.name === "StartError" || "syscall" in error;
  return { text: isExplained ? error.message : (error.stack ?? error.message), exitCode: EXIT.failure };
}

/**
 * The failure with its cause on a second line, as far as the first one does not say it: for whoever runs the service, since
 * its clients are not told. Only the innermost, as those around it quote whole queries.
 */
export function withCause(error: unknown): unknown {
  if (!isCoded(error)) return error;
  const { text, exitCode } = describeFailure(error);
  let cause: unknown = error;
  for (let next: unknown = error; next instanceof Error; next = causeOf(next)) cause = next;
  const { message } = cause as Error;
  return text.includes(message) ? error : new CliError(exitCode, text, [`Cause: ${message}`]);
}

/** Who connects to several addresses of a host fails with several errors, and no words of its own. */
function causeOf(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : error.cause;
}

/** Recognized by its code, to avoid loading service, client or library. */
export interface CodedError {
  code: keyof typeof EXIT_OF_CODE;
  message: string;
  details?: unknown;
}

/** Whether an error comes from the service, the client or the library. */
export function isCoded(error: unknown): error is CodedError {
  return error instanceof Error && "code" in error && Object.hasOwn(EXIT_OF_CODE, String(error.code));
}

/** The message of an invalid payload describes the first of its details. */
function codedText({ code, message, details }: CodedError): string {
  const issues = Array.isArray(details) ? (details as PayloadIssue[]) : [];
  const [first] = issues;
  if (first === undefined) return `${code}: ${message}`;
  const lines = issues.map((issue) => (issue.path === "" ? issue.message : `${issue.path}: ${issue.message}`));
  return lines.length === 1 ? `${code}: ${lines[0]}` : [`${code}:`, ...lines.map((line) => `  ${line}`)].join("\n");
}
