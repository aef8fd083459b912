import type { TreeSubagent } from "../../library.ts";
import type { SessionRecord } from "../../session/record.ts";
import { titleOfName } from "../../session/session-title.ts";

/**
 * What a tree says of a session that one of its calls has started.
 *
 * @param name given to it apart from its file; empty: none.
 */
export function treeSubagent({ path, id, title, format, usage }: SessionRecord, name: string): TreeSubagent {
  const { cost_usd, estimated_cost_usd } = usage;
  return { path, id, title: titleOfName(name) || title, format, cost_usd, estimated_cost_usd };
}
