import type { en } from "./en.ts";
import type { Catalogue } from "./message.ts";
import { connection } from "./zh/connection.ts";
import { desktop } from "./zh/desktop.ts";
import { exporting } from "./zh/export.ts";
import { frame } from "./zh/frame.ts";
import { list } from "./zh/list.ts";
import { live } from "./zh/live.ts";
import { palette } from "./zh/palette.ts";
import { rail } from "./zh/rail.ts";
import { search } from "./zh/search.ts";
import { settings } from "./zh/settings.ts";
import { shortcuts } from "./zh/shortcuts.ts";
import { statistics } from "./zh/statistics.ts";
import { terminals } from "./zh/terminals.ts";
import { transcript } from "./zh/transcript.ts";

/** Every text of the page in Simplified Chinese. */
export const zh: Catalogue<typeof en> = {
  ...connection,
  ...desktop,
  ...exporting,
  ...frame,
  ...list,
  ...live,
  ...palette,
  ...rail,
  ...search,
  ...settings,
  ...shortcuts,
  ...statistics,
  ...terminals,
  ...transcript,
};
