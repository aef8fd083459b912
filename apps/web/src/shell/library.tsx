import { Outlet, useRouterState } from "@tanstack/react-router";
import type { CSSProperties } from "react";
import { usePreference } from "../browser/preference.ts";
import { useIsPhone } from "../browser/use-is-phone.ts";
import { classNames } from "../design/class-names.ts";
import { ErrorBoundary } from "../design/error-screen.tsx";
import { PaneSplitter } from "../design/pane-splitter.tsx";
import { createPaneWidth } from "../design/pane-width.ts";
import { t } from "../i18n/text.ts";
import { SessionList } from "../list/session-list.tsx";

const listWidth = createPaneWidth("list-width", { usual: 400, min: 280, max: 640 });

/** The list and, beside it, what is open; on a phone one of the two. */
export function Library() {
  const width = usePreference(listWidth);
  const isOpen = useRouterState({ select: ({ location }) => location.pathname === "/session" });
  const path = useRouterState({ select: ({ location }) => location.href });
  const isMain = useIsPhone() && !isOpen;
  return (
    <>
      <section
        {...(isMain && { id: "content", role: "main" })}
        aria-label={t("rail.sessions")}
        style={{ "--list-width": `${width}px` } as CSSProperties}
        className={classNames(
          "relative flex min-h-0 min-w-0 flex-col bg-panel phone:flex-1 desk:w-(--list-width) desk:shrink-0",
          isOpen && "phone:hidden",
        )}
      >
        <SessionList />
        <PaneSplitter label={t("frame.resize_list")} width={listWidth} />
      </section>
      <ErrorBoundary resetKey={path}>
        <Outlet />
      </ErrorBoundary>
    </>
  );
}
