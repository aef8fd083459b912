import { CommandError } from "@sm/router/client";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useOpenSession } from "../client/open-session.ts";
import { useService } from "../client/service-context.tsx";
import { toast } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { runAction, useActions } from "../shortcuts/actions.ts";
import { loadDesktop } from "./desktop.ts";
import { reveal } from "./reveal.ts";

/** Does what the window of the desktop application asks for: its menu, and files that the user opens with it. */
export function DesktopWindow() {
  const openFile = useOpenFile();
  const latest = useRef(openFile);
  latest.current = openFile;
  useRevealAction();

  useEffect(() => {
    const following = follow({
      onMenu: (action) => runAction(action) || toast({ text: t("desktop.not_now") }),
      onFile: (path) => void latest.current(path),
    });
    return () => void following.then((stop) => stop());
  }, []);
  return null;
}

interface WindowListeners {
  onMenu(action: string): void;
  onFile(path: string): void;
}

async function follow({ onMenu, onFile }: WindowListeners): Promise<() => void> {
  const desktop = await loadDesktop();
  const stops = await Promise.all([desktop.onMenu(onMenu), desktop.onSessionOpened(onFile)]);
  // Afterwards, so that a file opened in between is reported in one of the two ways.
  const path = await desktop.pendingSession();
  if (path !== null) onFile(path);
  return () => {
    for (const stop of stops) stop();
  };
}

/** Shows a session file, where it is one of the service's. */
function useOpenFile(): (path: string) => Promise<void> {
  const service = useService();
  const navigate = useNavigate();
  return async (path) => {
    try {
      await service.call("read_session_entries", { path, limit: 1 });
    } catch (error) {
      if (error instanceof CommandError && error.code === "FORBIDDEN") {
        toast({
          text: t("desktop.outside", { path }),
          tone: "danger",
          lastsMs: 20_000,
          action: {
            text: t("desktop.to_directories"),
            run: () => void navigate({ to: "/settings/$", params: { _splat: "sessions" } }),
          },
        });
        return;
      }
      // Whatever else is wrong, the screen says better.
    }
    await navigate({ to: "/session", search: { path } });
  };
}

/** Shows the file of the session that is open. */
function useRevealAction(): void {
  const path = useOpenSession()?.path ?? null;
  useActions(
    path === null
      ? []
      : [{ id: "session.reveal", title: "desktop.reveal", group: "session", run: () => void reveal(path) }],
  );
}
