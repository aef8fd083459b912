import { ChevronsLeft, ChevronsRight, Settings } from "lucide-react";
import { useConnection } from "../client/service-context.tsx";
import { IconButton } from "../design/button.tsx";
import { classNames } from "../design/class-names.ts";
import { errorText } from "../design/error-state.tsx";
import { PaneSplitter } from "../design/pane-splitter.tsx";
import { Tooltip } from "../design/tooltip.tsx";
import { AccountMenu } from "../hub/account-menu.tsx";
import { t } from "../i18n/text.ts";
import { AppearanceMenu } from "./appearance-menu.tsx";
import { NavigationLinks } from "./navigation-links.tsx";
import { ProjectLinks } from "./project-links.tsx";
import { RailIconLink, RailLink } from "./rail-link.tsx";
import { railCollapsed, railWidth } from "./rail-size.ts";
import { SavedSearchLinks } from "./saved-search-links.tsx";
import { TagLinks } from "./tag-links.tsx";

/**
 * The navigation: the screens, and the sessions by what they belong to.
 *
 * @param width in pixels; `null`: as wide as what it is in.
 */
export function Rail({ width }: { width: number | null }) {
  return (
    <nav
      aria-label={t("rail.label")}
      style={width === null ? undefined : { width }}
      className={classNames("relative flex min-h-0 shrink-0 flex-col", width === null && "h-full w-full")}
    >
      <div className="flex h-13 shrink-0 items-center gap-2 pr-2 pl-4">
        <img src="/icon.svg" alt="" className="size-5 rounded-sm" />
        <span className="min-w-0 flex-1 truncate font-strong text-sm">{t("frame.app")}</span>
        {width !== null && (
          <IconButton
            icon={ChevronsLeft}
            label={t("rail.collapse")}
            keys="mod+b"
            size="sm"
            onClick={() => railCollapsed.set(true)}
          />
        )}
      </div>
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto px-2 pt-1 pb-4">
        <NavigationLinks />
        <SavedSearchLinks />
        <TagLinks />
        <ProjectLinks />
      </div>
      <div className="flex h-11 shrink-0 items-center gap-1 px-2 touch:h-14">
        <div className="min-w-0 flex-1">
          <RailLink icon={Settings} link={{ to: "/settings/$", params: { _splat: "" } }}>
            {t("rail.settings")}
          </RailLink>
        </div>
        <ConnectionDot />
        <AccountMenu />
        <AppearanceMenu />
      </div>
      {width !== null && <PaneSplitter label={t("frame.resize_rail")} width={railWidth} />}
    </nav>
  );
}

/** The navigation as a row of icons. */
export function CollapsedRail({ canExpand }: { canExpand: boolean }) {
  return (
    <nav aria-label={t("rail.label")} className="flex min-h-0 w-12 shrink-0 flex-col items-center gap-1 py-2.5">
      {canExpand && (
        <IconButton
          icon={ChevronsRight}
          label={t("rail.expand")}
          keys="mod+b"
          onClick={() => railCollapsed.set(false)}
        />
      )}
      {/* A phone on its side is lower than the links are together. */}
      <div className="flex min-h-0 w-full flex-1 flex-col items-center gap-1 overflow-y-auto [scrollbar-width:none]">
        <NavigationLinks isCollapsed />
      </div>
      <ConnectionDot />
      <RailIconLink icon={Settings} link={{ to: "/settings/$", params: { _splat: "" } }} label={t("rail.settings")} />
      <AccountMenu />
      <AppearanceMenu />
    </nav>
  );
}

/** How the page stands with the service, in a dot. */
function ConnectionDot() {
  const connection = useConnection();
  const text = {
    open: connection.state === "open" && connection.over === "http" ? t("connection.over_http") : t("connection.open"),
    connecting: t("connection.connecting"),
    waiting: t("connection.waiting"),
    unauthorized: t("connection.token_title"),
    refused: connection.state === "refused" ? t("connection.refused", { reason: errorText(connection.error) }) : "",
  }[connection.state];
  return (
    <Tooltip text={text} side="top">
      <span role="img" aria-label={text} className="flex size-6 items-center justify-center">
        <span
          className={classNames(
            "size-2 rounded-full",
            connection.state === "open" ? "bg-live" : "animate-[breathe_1.2s_infinite] bg-warning",
          )}
        />
      </span>
    </Tooltip>
  );
}
