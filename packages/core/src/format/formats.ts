import type { SessionFormatName } from "../session/record.ts";
import { claudeCodeFormat } from "./claude-code/claude-code.ts";
import { codexFormat } from "./codex/codex.ts";
import type { SessionFormat } from "./format.ts";
import { piFormat } from "./pi/pi.ts";

const FORMATS: Readonly<Record<SessionFormatName, SessionFormat>> = {
  pi: piFormat,
  "claude-code": claudeCodeFormat,
  codex: codexFormat,
};

/** All formats, in the order of recognition. */
export const formats: readonly SessionFormat[] = Object.values(FORMATS);

export function formatNamed(name: SessionFormatName): SessionFormat {
  return FORMATS[name];
}
