import { CommandError } from "@sm/router/client";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useOpenSession } from "../client/open-session.ts";
import { useService } from "../client/service-context.tsx";
import { toast } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { runAction, useActions } from "../shortcuts/actions.ts";
import { isMac } from "../shortcuts/keys.ts";
import { loadDesktop } from "./desktop.ts";
import { readLink } from "./link.ts";
import type { OpenedPlace } from "./native-window.ts";
import { reveal } from "./reveal.ts";

/** The part of a link that leads nowhere which is shown. */
const SHOWN_OF_LINK = 200;

/** Does what the window of the desktop application asks for: its menu, and what the user opens from elsewhere. */
export function DesktopWindow() {
  const open = useOpen();
  const latest = useRef(open);
  latest.current = open;
  useHistoryActions();
  useRevealAction();

  useEffect(() => {
    const following = follow({
      onMenu: (action) => runAction(action) || toast({ text: t("desktop.not_now") }),
      onOpened: (place) => void latest.current(place),
    });
    return () => void following.then((stop) => stop());
  }, []);
  return null;
}

interface WindowListeners {
  onMenu(action: string): void;
  onOpened(place: OpenedPlace): void;
}

async function follow({ onMenu, onOpened }: WindowListeners): Promise<() => void> {
  const desktop = await loadDesktop();
  const stops = await Promise.all([desktop.onMenu(onMenu), desktop.onOpened(onOpened)]);
  // Afterwards, so that what is opened in between is told in one of the two ways.
  const place = await desktop.pendingPlace();
  if (place !== null) onOpened(place);
  return () => {
    for (const stop of stops) stop();
  };
}

/** Shows what the user opens from elsewhere. */
function useOpen(): (place: OpenedPlace) => Promise<void> {
  const openFile = useOpenFile();
  const router = useRouter();
  return async (place) => {
    if ("file" in place) return openFile(place.file);
    if ("address" in place) return router.history.push(place.address);
    const target = readLink(place.link);
    if (target !== null) return router.navigate(target);
    const link = place.link.slice(0, SHOWN_OF_LINK);
    toast({ text: t("desktop.unknown_link", { link }), tone: "danger", lastsMs: 20_000 });
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

/** Goes where the user has been, for which a browser has buttons. */
function useHistoryActions(): void {
  const { history } = useRouter();
  // As in browsers. On a Mac the other keys move by words in fields.
  useActions([
    {
      id: "go.back",
      title: "desktop.back",
      group: "go",
      keys: isMac ? "mod+[" : "alt+arrowleft",
      inFields: true,
      // Before the first place is the page that stands in while there is no service.
      run: () => history.canGoBack() && history.back(),
    },
    {
      id: "go.forward",
      title: "desktop.forward",
      group: "go",
      keys: isMac ? "mod+]" : "alt+arrowright",
      inFields: true,
      run: () => history.forward(),
    },
  ]);
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
