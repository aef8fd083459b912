// For hubs: how worker threads read sessions that are kept elsewhere, and what a catalog keeps of them.

export { decodeSummary } from "../catalog/stored-session.ts";
export { cacheShare } from "../threads/cache-budget.ts";
export { Thread } from "../threads/thread.ts";
export { type RemoteReader, RemoteReaders } from "./remote-readers.ts";
export type { KnownSession, RemoteFile, RemoteSession, RemoteSessions } from "./remote-sessions.ts";
export type { ReadRemoteSession, RemoteTasks } from "./remote-tasks.ts";
