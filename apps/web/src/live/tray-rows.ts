import type { BoardRow } from "@sm/core";
import { visibleCode } from "@sm/core/rendering";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useLiveSessions } from "../agents/use-live-sessions.ts";
import { loadDesktop } from "../desktop/desktop.ts";
import type { TrayRow } from "../desktop/native-window.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { targetOf, useBoardTitles } from "./board-row.ts";
import { detailOf } from "./board-text.ts";
import { useBoard } from "./use-board.ts";

const MOST = 12;

/** Shows in the tray of the system what waits for the user and what runs. */
export function TrayRows() {
  const router = useRouter();
  const titleOf = useBoardTitles(useProjectName());
  const rows = useBoard(useLiveSessions().data)
    .filter(({ group }) => group !== "ended")
    .slice(0, MOST)
    .map((row): TrayRow => {
      const texts = [titleOf(row), stateOf(row)].filter((text) => text !== null);
      return {
        text: visibleCode(texts.join(" · ")),
        address: router.buildLocation(targetOf(row)).href,
        isWaiting: row.group === "waiting",
      };
    });
  const shown = JSON.stringify(rows);
  useEffect(() => {
    void show(JSON.parse(shown));
  }, [shown]);
  return null;
}

/** What an agent does changes all the time, and an open menu would with it: left out. */
function stateOf(row: BoardRow): string | null {
  const isSteady = row.group === "waiting" || (row.type === "session" && row.session.state === "idle");
  return isSteady ? detailOf(row).state : null;
}

async function show(rows: TrayRow[]): Promise<void> {
  try {
    const desktop = await loadDesktop();
    await desktop.showInTray(rows);
  } catch {
    // All of it is on the page too.
  }
}
