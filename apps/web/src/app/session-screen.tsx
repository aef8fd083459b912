import { TranscriptScreen } from "../transcript/transcript-screen.tsx";
import { sessionRoute } from "./router.tsx";

/** An open session. */
export function SessionScreen() {
  const { path, ...search } = sessionRoute.useSearch();
  return <TranscriptScreen path={path} search={search} />;
}
