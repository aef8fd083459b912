import type { en } from "./en.ts";
import type { Catalogue } from "./message.ts";
import { connection } from "./zh/connection.ts";
import { desktop } from "./zh/desktop.ts";
import { dialogs } from "./zh/dialogs.ts";
import { errors } from "./zh/errors.ts";
import { exporting } from "./zh/export.ts";
import { exportDialog } from "./zh/export-dialog.ts";
import { frame } from "./zh/frame.ts";
import { handOver } from "./zh/hand-over.ts";
import { home } from "./zh/home.ts";
import { hub } from "./zh/hub.ts";
import { list } from "./zh/list.ts";
import { live } from "./zh/live.ts";
import { liveScreen } from "./zh/live-screen.ts";
import { notices } from "./zh/notices.ts";
import { palette } from "./zh/palette.ts";
import { push } from "./zh/push.ts";
import { rail } from "./zh/rail.ts";
import { search } from "./zh/search.ts";
import { settings } from "./zh/settings.ts";
import { share } from "./zh/share.ts";
import { shortcuts } from "./zh/shortcuts.ts";
import { statistics } from "./zh/statistics.ts";
import { tags } from "./zh/tags.ts";
import { terminals } from "./zh/terminals.ts";
import { terminalsScreen } from "./zh/terminals-screen.ts";
import { transcript } from "./zh/transcript.ts";
import { vault } from "./zh/vault.ts";

/** Every text of the page in Simplified Chinese. */
export const zh: Catalogue<typeof en> = {
  ...connection,
  ...desktop,
  ...dialogs,
  ...errors,
  ...exporting,
  ...exportDialog,
  ...frame,
  ...handOver,
  ...home,
  ...hub,
  ...list,
  ...live,
  ...liveScreen,
  ...palette,
  ...rail,
  ...notices,
  ...push,
  ...search,
  ...settings,
  ...share,
  ...shortcuts,
  ...statistics,
  ...tags,
  ...terminals,
  ...terminalsScreen,
  ...transcript,
  ...vault,
};
