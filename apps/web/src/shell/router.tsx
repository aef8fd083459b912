import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { serviceKind } from "../client/service-kind.ts";
import { BrokenScreen, NotFoundScreen } from "../design/error-screen.tsx";
import { withTexts } from "../i18n/locale.ts";
import { readListSearch } from "../list/list-search.ts";
import { readLiveSearch } from "../live/live-search.ts";
import { readSearchState } from "../search/search-state.ts";
import { readStatisticsSearch } from "../statistics/statistics-search.ts";
import { readTerminalsSearch } from "../terminals/terminals-search.ts";
import { readTranscriptSearch, type TranscriptSearch } from "../transcript/transcript-search.ts";
import { parseSearch, type RawSearch, stringifySearch, textIn, withoutUndefined } from "../url/search-params.ts";
import { Frame } from "./frame.tsx";
import { Library } from "./library.tsx";
import { NoSession } from "./no-session.tsx";

/** What runs on machines is not there on a hub: whoever comes by an old address sees the list. */
function beforeMachine(): void {
  if (serviceKind.get() === "hub") throw redirect({ to: "/" });
}

/** Which session is open, and what of it is shown. The list beside it has its own part of the URL. */
export interface SessionSearch extends TranscriptSearch {
  path: string;
  /** A search, whose results stand beside it instead of the list. */
  hits?: string;
}

const rootRoute = createRootRoute({
  component: Frame,
  errorComponent: BrokenScreen,
  notFoundComponent: NotFoundScreen,
});

/** The list beside what is open in it. */
const libraryRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "library",
  validateSearch: (search: RawSearch) => readListSearch(search),
  component: Library,
});

const listRoute = createRoute({ getParentRoute: () => libraryRoute, path: "/", component: NoSession });

const sessionRoute = createRoute({
  getParentRoute: () => libraryRoute,
  path: "/session",
  validateSearch: (search: RawSearch): SessionSearch => ({
    path: textIn(search, "path") ?? "",
    ...withoutUndefined({ hits: textIn(search, "hits") }),
    ...readTranscriptSearch(search),
  }),
  component: lazyRouteComponent(
    withTexts(() => import("./session-screen.tsx")),
    "SessionScreen",
  ),
});

const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/search",
  validateSearch: (search: RawSearch) => readSearchState(search),
  component: lazyRouteComponent(
    withTexts(() => import("../search/search-route.tsx")),
    "SearchRoute",
  ),
});

const statisticsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/statistics",
  validateSearch: (search: RawSearch) => readStatisticsSearch(search),
  component: lazyRouteComponent(
    withTexts(() => import("../statistics/statistics-screen.tsx")),
    "StatisticsScreen",
  ),
});

const liveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/live",
  beforeLoad: beforeMachine,
  validateSearch: (search: RawSearch) => readLiveSearch(search),
  component: lazyRouteComponent(
    withTexts(() => import("../live/live-screen.tsx")),
    "LiveScreen",
  ),
});

const terminalsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/terminals",
  beforeLoad: beforeMachine,
  validateSearch: (search: RawSearch) => readTerminalsSearch(search),
  component: lazyRouteComponent(
    withTexts(() => import("../terminals/terminals-screen.tsx")),
    "TerminalsScreen",
  ),
});

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings/$",
  component: lazyRouteComponent(
    withTexts(() => import("../settings/settings-screen.tsx")),
    "SettingsScreen",
  ),
});

const routeTree = rootRoute.addChildren([
  libraryRoute.addChildren([listRoute, sessionRoute]),
  searchRoute,
  statisticsRoute,
  liveRoute,
  terminalsRoute,
  settingsRoute,
]);

/** Makes the router of the page. */
export function makeRouter() {
  return createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultErrorComponent: BrokenScreen,
    // Panes scroll, the page does not.
    scrollRestoration: false,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
