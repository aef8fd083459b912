import { AgentNotices } from "./agent-notices.ts";
import { isDesktop } from "./desktop.ts";
import { DesktopWindow } from "./desktop-window.ts";

/** What the page does beside its screens: for the window that it may be in, and while nobody looks at it. */
export function Companion({ isNotified }: { isNotified: boolean }) {
  return (
    <>
      {isDesktop && <DesktopWindow />}
      {isNotified && <AgentNotices />}
    </>
  );
}
