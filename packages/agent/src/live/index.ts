/// <reference types="node" preserve="true" />
export { type LiveSessions, type LiveSessionsOptions, openLiveSessions } from "./live-sessions.ts";
export type { LiveEvent } from "./session-log.ts";
