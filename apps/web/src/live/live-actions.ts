import { useNavigate } from "@tanstack/react-router";
import { useStarter } from "../agents/use-starter.ts";
import { useIsHub } from "../client/hub.ts";
import { useOpenSession } from "../client/open-session.ts";
import { useSession } from "../client/service-context.tsx";
import { useActions } from "../shortcuts/actions.ts";
import type { Action } from "../shortcuts/registry.ts";

/** What can be done on every screen with agents and terminals; with the session that is open, where one is. */
export function useLiveActions(): void {
  const navigate = useNavigate();
  const { resume } = useStarter();
  const isHub = useIsHub();
  const path = useOpenSession()?.path ?? null;
  const record = useSession(path);
  const cwd = record?.cwd ?? null;
  const place = cwd === null ? { new: true as const } : { new: true as const, cwd };
  const actions: Action[] = [
    {
      id: "live.new",
      title: "live.new",
      group: "live",
      keys: "g n",
      run: () => void navigate({ to: "/live", search: place }),
    },
  ];
  if (path !== null && record?.capabilities.start !== false && record?.is_live !== true) {
    actions.push({
      id: "live.resume",
      title: "live.resume_session",
      group: "session",
      keys: "shift+r",
      run: () => resume(path),
    });
  }
  actions.push({
    id: "terminals.new",
    title: "terminals.new",
    group: "live",
    run: () => void navigate({ to: "/terminals", search: place }),
  });
  useActions(isHub ? NONE : actions);
}

/** Agents and terminals run on machines. */
const NONE: readonly Action[] = [];
