import { desktop } from "./en/desktop.ts";
import { dialogs } from "./en/dialogs.ts";
import { exportDialog } from "./en/export-dialog.ts";
import { handOver } from "./en/hand-over.ts";
import { home } from "./en/home.ts";
import { hub } from "./en/hub.ts";
import { liveScreen } from "./en/live-screen.ts";
import { notices } from "./en/notices.ts";
import { push } from "./en/push.ts";
import { search } from "./en/search.ts";
import { settings } from "./en/settings.ts";
import { share } from "./en/share.ts";
import { statistics } from "./en/statistics.ts";
import { tags } from "./en/tags.ts";
import { terminalsScreen } from "./en/terminals-screen.ts";
import { transcript } from "./en/transcript.ts";
import { vault } from "./en/vault.ts";
import { enFirst } from "./en-first.ts";

/** Every text of the page in English. Each part of the page has a file of its own. */
export const en = {
  ...enFirst,
  ...desktop,
  ...dialogs,
  ...exportDialog,
  ...handOver,
  ...home,
  ...hub,
  ...liveScreen,
  ...notices,
  ...push,
  ...search,
  ...settings,
  ...share,
  ...statistics,
  ...tags,
  ...terminalsScreen,
  ...transcript,
  ...vault,
} as const;
