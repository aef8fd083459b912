// For simulated machines: what a hub has not got yet of sessions that no library knows.

export type { SessionWithFile } from "../catalog/session-files.ts";
export { SessionOutbox, type SessionsToSend } from "./session-outbox.ts";
