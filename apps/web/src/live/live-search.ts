import { readTranscriptSearch, type TranscriptSearch } from "../transcript/transcript-search.ts";
import { flagIn, type RawSearch, textIn, withoutUndefined } from "../url/search-params.ts";

/** What the screen of live sessions shows, as the URL says it. */
export interface LiveSearch extends TranscriptSearch {
  /** Id of the session that is open. */
  session?: string;
  /** The dialog that starts a session is open. */
  new?: true;
  /** The folder that it proposes. */
  cwd?: string;
}

/** Makes the state of the screen of the URL. */
export function readLiveSearch(search: RawSearch): LiveSearch {
  const own = withoutUndefined({
    session: textIn(search, "session"),
    new: flagIn(search, "new"),
    cwd: textIn(search, "cwd"),
  });
  return own.session === undefined ? own : { ...own, ...readTranscriptSearch(search) };
}
