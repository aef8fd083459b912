import type { ErrorCode } from "@sm/core";
import type { RealService } from "./real-service.ts";
import type { SampleHome } from "./sample-home.ts";

/** Sessions of a service, by the paths that the service gives them. */
export type CaseHome = Pick<SampleHome, "folder" | "paths" | "outside" | "missing" | "copy" | "withOutput">;

/** A service that commands are sent to: one at home, or what a user has on a hub. */
export interface CaseService extends Pick<RealService, "url" | "call" | "ask"> {
  home: CaseHome;
}

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
