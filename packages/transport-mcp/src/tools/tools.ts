import type { Tool } from "../tool.ts";
import { getSessionSummary } from "./get-session-summary.ts";
import { listSessions } from "./list-sessions.ts";
import { readSession } from "./read-session.ts";
import { searchPastWork } from "./search-past-work.ts";
import { sessionsOfFile } from "./sessions-of-file.ts";

/** Every tool; all of them only read. */
export const tools: readonly Tool[] = [searchPastWork, readSession, listSessions, sessionsOfFile, getSessionSummary];
