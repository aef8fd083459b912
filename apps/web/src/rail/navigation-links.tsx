import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import {
  Archive,
  ChartColumn,
  type LucideIcon,
  MessagesSquare,
  Radio,
  Search,
  SquareTerminal,
  Star,
} from "lucide-react";
import { type ReactNode, Suspense, useMemo } from "react";
import { commandQuery } from "../client/commands.ts";
import { useIsHub } from "../client/hub.ts";
import { useService, useSessions } from "../client/service-context.tsx";
import { lazyPart } from "../design/lazy-part.ts";
import { withTexts } from "../i18n/locale.ts";
import { type PlainTextKey, t } from "../i18n/text.ts";
import { useListSearch } from "../list/use-list-search.ts";
import { WaitingCount } from "../live/waiting-count.tsx";
import { RailIconLink, RailLink, type RailTarget } from "./rail-link.tsx";

const BudgetMark = lazyPart(
  withTexts(() => import("../statistics/budget-mark.tsx")),
  "BudgetMark",
);

interface Destination {
  icon: LucideIcon;
  text: PlainTextKey;
  link: RailTarget;
  isCurrent?: boolean;
  count?: ReactNode;
}

/** The screens of the page. */
export function NavigationLinks({ isCollapsed = false }: { isCollapsed?: boolean }) {
  const destinations = useDestinations();
  if (isCollapsed) {
    return destinations.map(({ text, count, ...destination }) => (
      // How many there are is for whoever has room; what asks for something is seen here too.
      <RailIconLink key={text} {...destination} label={t(text)} mark={typeof count === "number" ? null : count} />
    ));
  }
  return (
    <div>
      {destinations.map(({ text, ...destination }) => (
        <RailLink key={text} {...destination}>
          {t(text)}
        </RailLink>
      ))}
    </div>
  );
}

function useDestinations(): Destination[] {
  const { records, state, total, isPart } = useSessions();
  const favorites = useQuery({ ...commandQuery(useService(), "list_favorites"), enabled: isPart }).data?.length;
  const archived = useQuery(commandQuery(useService(), "list_sessions", { archived: "only", limit: 1 })).data?.total;
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const search = useListSearch();
  const isHub = useIsHub();
  const counts = useMemo(() => {
    const all = [...records.values()];
    return {
      favorites: all.filter(({ is_favorite }) => is_favorite).length,
      live: all.filter(({ is_live }) => is_live).length,
    };
  }, [records]);
  const isList = pathname === "/" || pathname === "/session";
  const isFavorites = isList && search.favorites === true;
  const isArchive = isList && search.archived === true;
  const isWhole =
    isList && !isArchive && search.favorites !== true && search.project === undefined && search.tag === undefined;
  return [
    {
      icon: MessagesSquare,
      text: "rail.sessions",
      link: { to: "/", search: {} },
      isCurrent: isWhole,
      count: isPart ? total : records.size,
    },
    {
      icon: Star,
      text: "rail.favorites",
      link: { to: "/", search: { favorites: true } },
      isCurrent: isFavorites,
      count: isPart ? (favorites ?? 0) : counts.favorites,
    },
    {
      icon: Archive,
      text: "rail.archived",
      link: { to: "/", search: { archived: true } },
      isCurrent: isArchive,
      count: archived ?? 0,
    },
    { icon: Search, text: "rail.search", link: { to: "/search" } },
    ...(isHub ? [] : ofMachine(counts.live)),
    {
      icon: ChartColumn,
      text: "rail.statistics",
      link: { to: "/statistics" },
      // The list comes first.
      count: state !== "loading" && (
        <Suspense>
          <BudgetMark />
        </Suspense>
      ),
    },
  ];
}

/** What runs on a machine; a hub has none of it. */
function ofMachine(live: number): Destination[] {
  return [
    { icon: Radio, text: "rail.live", link: { to: "/live" }, count: <WaitingCount live={live} /> },
    { icon: SquareTerminal, text: "rail.terminals", link: { to: "/terminals" } },
  ];
}
