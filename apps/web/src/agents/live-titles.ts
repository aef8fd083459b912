import { useSessions } from "../client/service-context.tsx";
import { projectName } from "../projects/project-name.ts";
import { newSessionTitle, sessionTitle } from "../projects/session-title.ts";
import type { LiveSession } from "./use-live-sessions.ts";

/** Names live sessions: by their own names, else by what they began with, else by their folders. */
export function useLiveTitles(): (session: LiveSession) => string {
  const { records } = useSessions();
  return ({ name, session_path, cwd }) => {
    if (name !== null) return name;
    if (session_path === null) return newSessionTitle(cwd);
    const record = records.get(session_path);
    return record === undefined ? projectName(cwd) : sessionTitle(record);
  };
}
