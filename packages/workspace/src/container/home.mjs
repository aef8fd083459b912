import { appendFileSync, chownSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "./engine.mjs";

const TIME = "2026-03-01T10:00:00.000Z";

/**
 * Makes the home of an agent's user, with two sessions that only this user can read: one, and a fork of it. Returns
 * their paths. The folder above the home is covered by one that is gone with this process's mounts.
 */
export function makeAgentHome(home, uid) {
  run("mount", ["-t", "tmpfs", "-o", "mode=755", "session-manager-test", dirname(home)]);
  const sessions = join(home, ".pi", "agent", "sessions", "--srv-tide-clock--");
  mkdirSync(sessions, { recursive: true, mode: 0o700 });
  const original = writeSession(sessions, { id: "original" }, "How high is the tide at noon?");
  const fork = writeSession(sessions, { id: "fork", parentSession: original }, "And at midnight?");
  for (const entry of [".", ...readdirSync(home, { recursive: true })]) chownSync(join(home, entry), uid, uid);
  return { original, fork };
}

/** Goes on with a session that has one message, as the agent does. */
export function appendMessage(path, text) {
  appendFileSync(path, message("2", "1", text));
}

function writeSession(folder, fields, text) {
  const path = join(folder, `${TIME.replace(/[:.]/g, "-")}_${fields.id}.jsonl`);
  const header = { type: "session", version: 3, timestamp: TIME, cwd: "/srv/tide-clock", ...fields };
  writeFileSync(path, `${JSON.stringify(header)}\n${message("1", null, text)}`, { mode: 0o600 });
  return path;
}

function message(id, parentId, text) {
  const content = [{ type: "text", text }];
  const entry = { type: "message", id, parentId, timestamp: TIME, message: { role: "user", content } };
  return `${JSON.stringify(entry)}\n`;
}
