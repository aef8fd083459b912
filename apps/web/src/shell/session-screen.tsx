import { getRouteApi } from "@tanstack/react-router";
import { TranscriptScreen } from "../transcript/transcript-screen.tsx";

const sessionRoute = getRouteApi("/library/session");

/** An open session. */
export function SessionScreen() {
  const { path, hits: _hits, ...search } = sessionRoute.useSearch();
  return <TranscriptScreen path={path} search={search} />;
}
