import { AppError, isJsonObject, type JsonValue } from "@sm/core";

/** What releases of the agent know that cannot be asked for their levels, those before 0.81. */
export const OLD_THINKING_LEVELS: readonly string[] = ["off", "minimal", "low", "medium", "high", "xhigh"];
/** More than any model has. */
const MOST_LEVELS = 100;

/** Reads what `get_available_thinking_levels` answers, as far as it can be understood. */
export function thinkingLevelsOf(data: JsonValue | undefined): string[] {
  const listed = isJsonObject(data) && Array.isArray(data.levels) ? data.levels : [];
  return listed.slice(0, MOST_LEVELS).filter((level) => typeof level === "string");
}

/**
 * Throws AppError `INVALID_PAYLOAD` for a level that is not offered. The agent takes any other text for one of its
 * levels, mostly `off`, and keeps that as the user's default.
 */
export function checkThinkingLevel(wanted: string, levels: readonly string[], model: string | null): void {
  if (levels.includes(wanted)) return;
  const message = `${model ?? "The agent"} has no thinking level ${wanted}: choose one of ${levels.join(", ")}.`;
  throw new AppError("INVALID_PAYLOAD", message, { details: [{ path: "thinking_level", message }] });
}
