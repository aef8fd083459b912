import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gardenPlanner } from "./samples/garden-planner.ts";
import { ledger } from "./samples/ledger.ts";
import { photoBackup } from "./samples/photo-backup.ts";
import { readingList } from "./samples/reading-list.ts";
import { recipeSearch } from "./samples/recipe-search.ts";
import { tideClock, tidePrediction } from "./samples/tide-clock.ts";
import { weatherStation } from "./samples/weather-station.ts";
import type { SessionWriter } from "./session-writer.ts";

const HOUR_MS = 3_600_000;

/**
 * Writes the sample sessions into an agent's sessions directory, with the agent's file names.
 *
 * @param now milliseconds since 1970; the samples date from the preceding days.
 * @returns the paths, newest session first.
 */
export async function writeSamples(sessionsDir: string, now: number): Promise<string[]> {
  const pathOf = (session: SessionWriter) => join(sessionsDir, projectFolder(session.cwd), session.fileName);
  const hoursAgo = (hours: number) => now - hours * HOUR_MS;

  const tide = tideClock(hoursAgo(75));
  const sessions = [
    weatherStation(hoursAgo(1)),
    gardenPlanner(hoursAgo(6)),
    tidePrediction(tide.session, tide.polling, hoursAgo(27), pathOf(tide.session)),
    ledger(hoursAgo(50)),
    tide.session,
    recipeSearch(hoursAgo(123)),
    readingList(hoursAgo(196)),
    photoBackup(hoursAgo(340)),
  ];
  await Promise.all(
    sessions.map(async (session) => {
      const path = pathOf(session);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, session.text());
      await utimes(path, session.endedAt / 1000, session.endedAt / 1000);
    }),
  );
  return sessions.map(pathOf);
}

function projectFolder(cwd: string): string {
  return `--${cwd.replace(/^\//, "").replace(/[/\\:]/g, "-")}--`;
}
