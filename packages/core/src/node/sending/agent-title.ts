import { formatNamed } from "../../format/formats.ts";
import { indexedLine } from "../session-file/title-index.ts";
import type { SessionToSend } from "./sending-tasks.ts";

/**
 * How an agent calls a session in a file of all of its sessions, which is not sent; `null` where it does not. A title in
 * the session's own file counts more.
 */
export function agentTitle({ path, format, id }: Pick<SessionToSend, "path" | "format" | "id">): string | null {
  const { agent, reader } = formatNamed(format);
  const index = agent.titleIndex?.(path) ?? null;
  const line = index === null ? null : indexedLine(index, id);
  return line === null ? null : (reader(null).indexedTitle?.(line) ?? null);
}
