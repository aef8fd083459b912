import { AppError, isJsonObject, type JsonValue } from "@sm/core";

/** Levels of releases before 0.81, which cannot be queried. */
export const OLD_THINKING_LEVELS: readonly string[] = ["off", "minimal", "low", "medium", "high", "xhigh"];
/** More than any model has. */
const MAX_LEVELS = 100;

/** Parses the response to `get_available_thinking_levels`, ignoring unknown parts. */
export function parseThinkingLevels(data: JsonValue | undefined): string[] {
  const listed = isJsonObject(data) && Array.isArray(data.levels) ? data.levels : [];
  return listed.slice(0, MAX_LEVELS).filter((level) => typeof level === "string");
}

/**
 * Throws AppError `INVALID_PAYLOAD` for an unavailable level. The agent would map any other text to one of its levels,
 * usually `off`, and save that as the user's default.
 */
export function checkThinkingLevel(wanted: string, levels: readonly string[], model: string | null): void {
  if (levels.includes(wanted)) return;
  const message = `${model ?? "The agent"} has no thinking level ${wanted}: choose one of ${levels.join(", ")}.`;
  throw new AppError("INVALID_PAYLOAD", message, { details: [{ path: "thinking_level", message }] });
}
