import type { ErrorCode } from "@sm/core";

/** A valid payload of a command, split into what must be there and what may be left out. */
export interface CommandCase {
  required: Record<string, unknown>;
  optional: Record<string, unknown>;
  /** Fields that stand for a required one, and cannot be given with it. */
  instead?: string[];
  /** What is wrong in fields that take any object. */
  wrong?: Record<string, unknown>;
  /** With which error it fails where there is no hub. */
  fails?: ErrorCode;
}
