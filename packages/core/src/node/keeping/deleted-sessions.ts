import { parseLine } from "../../session/jsonl.ts";
import type { SessionFormatName } from "../../session/record.ts";
import { SESSION_FORMATS } from "../../session/record.ts";
import { SessionFold } from "../../session/session-fold.ts";
import { titleOf } from "../../session/session-title.ts";
import { formatTimestamp } from "../../session/timestamp.ts";
import type { DeletedSessionRecord } from "../../vault.ts";
import { isPacked } from "../session-file/session-file-name.ts";
import type { Generation, Vault } from "../vault/vault.ts";

/** Where the title stands, mostly: reading whole sessions for a list would take seconds. */
const HEAD_BYTES = 256 * 1024;
/** The list is for people, who look for what they have just deleted. */
const MOST = 500;

/** Lists the sessions that can be brought back. @param deletedMs for how long. */
export function deletedSessions(vault: Vault, deletedMs: number): DeletedSessionRecord[] {
  const sessions = vault.deleted().filter(({ owner }) => owner === null);
  return sessions.slice(0, MOST).map((generation) => {
    const { path, sessionId, format, bytes, deletedAt } = generation;
    return {
      path,
      id: sessionId,
      format: formatOf(format),
      title: titleIn(vault, generation),
      size_bytes: bytes,
      deleted_at: formatTimestamp(deletedAt ?? 0) ?? "",
      expires_at: formatTimestamp((deletedAt ?? 0) + deletedMs) ?? "",
      source: "vault",
    };
  });
}

/** `null` for one that a newer version has kept. */
function formatOf(name: string | null): SessionFormatName | null {
  return SESSION_FORMATS.find((known) => known === name) ?? null;
}

/** The name that was given at the end of a long session is not found. */
function titleIn(vault: Vault, generation: Generation): string {
  const fold = new SessionFold();
  if (!isPacked(generation.path)) {
    const head = Buffer.allocUnsafe(Math.min(HEAD_BYTES, generation.bytes));
    const text = head.toString("utf8", 0, vault.read(generation, head, 0));
    const end = head.length < generation.bytes ? text.lastIndexOf("\n") : text.length;
    for (const line of text.slice(0, Math.max(0, end)).split("\n")) {
      const value = parseLine(line);
      if (value !== null) fold.add(value, 0, line.length);
    }
  }
  return titleOf(fold.state, generation.path);
}
