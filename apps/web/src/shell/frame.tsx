import { Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { useFreshTheme } from "../appearance/use-theme-choice.ts";
import { usePreference } from "../browser/preference.ts";
import { useConnection, useSessions } from "../client/service-context.tsx";
import { useFirstScreen } from "../design/first-screen.ts";
import { lazyPart, preloadParts, whenIdle } from "../design/lazy-part.ts";
import { OpenNavigation } from "../design/screen.tsx";
import { Toaster } from "../design/toast.tsx";
import { isDesktop } from "../desktop/desktop.ts";
import { DesktopHost } from "../desktop/desktop-host.tsx";
import { ExportHost } from "../export/export-host.tsx";
import { withTexts } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";
import { useLiveActions } from "../live/live-actions.ts";
import { PaletteHost } from "../palette/palette-host.tsx";
import { CollapsedRail, Rail } from "../rail/rail.tsx";
import { railCollapsed, railWidth } from "../rail/rail-size.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import { useFrameActions } from "./frame-actions.ts";
import { HubHost } from "./hub-host.tsx";
import { useSessionAlone } from "./use-session-alone.ts";

const Drawer = lazyPart(() => import("../design/drawer.tsx"), "Drawer");
const ShortcutsDialog = lazyPart(
  withTexts(() => import("./shortcuts-dialog.tsx")),
  "ShortcutsDialog",
);
const ServiceWorkerHost = lazyPart(() => import("../push/service-worker-host.ts"), "ServiceWorkerHost");
const TrayRows = lazyPart(
  withTexts(() => import("../live/tray-rows.ts")),
  "TrayRows",
  "asked",
);
const TokenDialog = lazyPart(
  withTexts(() => import("./token-dialog.tsx")),
  "TokenDialog",
  "asked",
);

/** The frame around all screens: navigation, connection state, notices. */
export function Frame() {
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [areShortcutsShown, showShortcuts] = useState(false);
  const width = usePreference(railWidth);
  const isCollapsed = usePreference(railCollapsed);
  const isAlone = useSessionAlone();
  const address = useRouterState({ select: ({ location }) => location.href });
  useFrameActions(() => showShortcuts(true));
  useLiveActions();
  useFreshTheme();
  // A session is there when its entries are.
  useFirstScreen(useRouterState({ select: ({ location }) => location.pathname !== "/session" }));
  const isAsked = useConnection().state === "unauthorized";
  const isLoading = useSessions().state === "loading";
  useEffect(() => (isLoading ? undefined : whenIdle(preloadParts)), [isLoading]);
  // Whatever was chosen in it is what one wants to see.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is the reason, whatever it is
  useEffect(() => setDrawerOpen(false), [address]);

  return (
    <OpenNavigation value={() => setDrawerOpen(true)}>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-raised px-3 py-2 shadow-pop focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t("frame.skip")}
      </a>
      <div className="flex h-full flex-col">
        <ConnectionBanner />
        <div className="flex min-h-0 flex-1">
          <div className="contents phone:hidden">
            {isCollapsed || isAlone ? <CollapsedRail canExpand={!isAlone} /> : <Rail width={width} />}
          </div>
          <Outlet />
        </div>
      </div>
      <Suspense>
        {isDrawerOpen && (
          <Drawer open onOpenChange={setDrawerOpen} title={t("rail.label")}>
            <Rail width={null} />
          </Drawer>
        )}
        {areShortcutsShown && <ShortcutsDialog onClose={() => showShortcuts(false)} />}
        {isAsked && <TokenDialog />}
        {!isDesktop && !isLoading && <ServiceWorkerHost />}
        {isDesktop && !isLoading && <TrayRows />}
      </Suspense>
      <PaletteHost />
      <ExportHost />
      <HubHost />
      <DesktopHost />
      <Toaster />
    </OpenNavigation>
  );
}
