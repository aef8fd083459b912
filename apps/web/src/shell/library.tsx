import { Outlet, useRouterState } from "@tanstack/react-router";
import { type CSSProperties, Suspense, useLayoutEffect, useRef } from "react";
import { usePreference } from "../browser/preference.ts";
import { useIsPhone } from "../browser/use-matches.ts";
import { classNames } from "../design/class-names.ts";
import { ErrorBoundary } from "../design/error-screen.tsx";
import { lazyPart } from "../design/lazy-part.ts";
import { PaneSplitter } from "../design/pane-splitter.tsx";
import { createPaneWidth } from "../design/pane-width.ts";
import { withTexts } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";
import { SessionList } from "../list/session-list.tsx";
import { type RawSearch, textIn } from "../url/search-params.ts";
import { useSessionAlone } from "./use-session-alone.ts";

const listWidth = createPaneWidth("list-width", { usual: 400, min: 280, max: 640 });

const SearchBeside = lazyPart(
  withTexts(() => import("../search/search-beside.tsx")),
  "SearchBeside",
  "asked",
);

/** The list or results of a search and, beside it, what is open; on a phone one of the two. */
export function Library() {
  const width = usePreference(listWidth);
  const isOpen = useRouterState({ select: ({ location }) => location.pathname === "/session" });
  const path = useRouterState({ select: ({ location }) => location.href });
  const hits = useRouterState({
    select: ({ location }) =>
      location.pathname === "/session" ? textIn(location.search as RawSearch, "hits") : undefined,
  });
  const isMain = useIsPhone() && !isOpen;
  const isAlone = useSessionAlone();
  const list = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // What is not shown has no focus: the next key belongs to the session.
    if (isAlone && list.current?.contains(document.activeElement)) document.getElementById("content")?.focus();
  }, [isAlone]);
  return (
    <>
      <section
        ref={list}
        {...(isMain && { id: "content", role: "main" })}
        aria-label={t(hits === undefined ? "rail.sessions" : "rail.search")}
        style={{ "--list-width": `${width}px` } as CSSProperties}
        className={classNames(
          "relative flex min-h-0 min-w-0 flex-col bg-panel phone:flex-1 desk:w-(--list-width) desk:shrink-0",
          isOpen && "phone:hidden",
          isAlone && "desk:hidden",
        )}
      >
        {hits === undefined ? (
          <SessionList />
        ) : (
          <Suspense>
            <SearchBeside hits={hits} />
          </Suspense>
        )}
        <PaneSplitter label={t("frame.resize_list")} width={listWidth} />
      </section>
      <ErrorBoundary resetKey={path}>
        <Outlet />
      </ErrorBoundary>
    </>
  );
}
