import type { CommandOutput } from "@sm/router/client";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { usePreference } from "../browser/preference.ts";
import { commandKey } from "../client/commands.ts";
import { currentLocale, localePreference } from "../i18n/locale.ts";

/** Registers the service worker, and does for it what only a page can. */
export function ServiceWorkerHost() {
  const { history } = useRouter();
  const queries = useQueryClient();
  // The worker speaks the language of the page.
  usePreference(localePreference);
  const language = currentLocale();

  useEffect(() => {
    if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    // Without it the page works, but neither without a connection nor while it is closed.
    navigator.serviceWorker.register(`/service-worker.js?language=${language}`).catch(() => undefined);
  }, [language]);

  useEffect(() => {
    if (!("serviceWorker" in navigator)) return;
    const onMessage = ({ data, ports }: MessageEvent) => {
      if (data?.type === "show" && typeof data.url === "string") history.push(data.url);
      if (data?.type === "is-shown") ports[0]?.postMessage(isShown(data.session_id, queries));
    };
    navigator.serviceWorker.addEventListener("message", onMessage);
    navigator.serviceWorker.startMessages();
    return () => navigator.serviceWorker.removeEventListener("message", onMessage);
  }, [history, queries]);

  return null;
}

/** Whether somebody looks at a live session in this page. */
function isShown(sessionId: unknown, queries: QueryClient): boolean {
  if (!document.hasFocus()) return false;
  const shown = new URLSearchParams(location.search);
  if (location.pathname === "/live") return shown.get("session") === sessionId;
  const key = commandKey("get_coding_live_sessions", {});
  const sessions = queries.getQueryData<CommandOutput<"get_coding_live_sessions">>(key);
  const path = sessions?.find(({ session_id }) => session_id === sessionId)?.session_path ?? null;
  return location.pathname === "/session" && path !== null && shown.get("path") === path;
}
