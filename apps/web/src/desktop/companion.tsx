import { AgentNotices } from "./agent-notices.ts";
import { isDesktop } from "./desktop.ts";
import { DesktopWindow } from "./desktop-window.ts";

/** Page functions without a screen: for the desktop window, and in the background. */
export function Companion({ isNotified }: { isNotified: boolean }) {
  return (
    <>
      {isDesktop && <DesktopWindow />}
      {isNotified && <AgentNotices />}
    </>
  );
}
