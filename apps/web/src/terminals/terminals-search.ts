import { flagIn, type RawSearch, textIn, withoutUndefined } from "../url/search-params.ts";

/** What the screen of terminals shows, as the URL says it. */
export interface TerminalsSearch {
  /** Id of the terminal in front; the newest if absent. */
  id?: string;
  /** The dialog that opens a terminal is open. */
  new?: true;
  /** The folder that it proposes. */
  cwd?: string;
}

/** Makes the state of the screen of the URL. */
export function readTerminalsSearch(search: RawSearch): TerminalsSearch {
  return withoutUndefined({
    id: textIn(search, "id"),
    new: flagIn(search, "new"),
    cwd: textIn(search, "cwd"),
  });
}
