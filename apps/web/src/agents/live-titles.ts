import { useSessions } from "../client/service-context.tsx";
import { projectName } from "../projects/project-name.ts";
import type { LiveSession } from "./use-live-sessions.ts";

/** Names live sessions: by their own names, else by what they began with, else by their folders. */
export function useLiveTitles(): (session: LiveSession) => string {
  const { records } = useSessions();
  return ({ name, session_path, cwd }) => {
    const title = session_path === null ? undefined : records.get(session_path)?.title;
    return name ?? title ?? projectName(cwd);
  };
}
