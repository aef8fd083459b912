import { connection } from "./en/connection.ts";
import { errors } from "./en/errors.ts";
import { exporting } from "./en/export.ts";
import { frame } from "./en/frame.ts";
import { list } from "./en/list.ts";
import { live } from "./en/live.ts";
import { palette } from "./en/palette.ts";
import { rail } from "./en/rail.ts";
import { shortcuts } from "./en/shortcuts.ts";
import { terminals } from "./en/terminals.ts";

/** The texts in English that the page needs from the beginning, and everywhere. */
export const enFirst = {
  ...connection,
  ...errors,
  ...exporting,
  ...frame,
  ...list,
  ...live,
  ...palette,
  ...rail,
  ...shortcuts,
  ...terminals,
} as const;
