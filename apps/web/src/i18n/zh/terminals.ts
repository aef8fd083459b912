import type { terminals as en } from "../en/terminals.ts";
import type { Catalogue } from "../message.ts";

export const terminals: Catalogue<typeof en> = {
  "terminals.new": "新建终端",
};
