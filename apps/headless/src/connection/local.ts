import { setTimeout as delay } from "node:timers/promises";
import type { LibraryStatus } from "@sm/core";
import { type Dispatcher, openExport, StreamedJson } from "@sm/router";
import { CommandError, type CommandName } from "@sm/router/client";
import { type Settings, startSpareWorker } from "@sm/server/early";
import { openLocalService, openLocalTokens } from "@sm/server/local";
import { type ProgressLine, progressLine } from "../progress.ts";
import type { Shell } from "../shell.ts";
import type { Connection, VerificationProgress } from "./connection.ts";

const POLL_MS = 50;

/** Commands that need no sessions, so they do not wait for them. */
const ABOUT_NO_SESSION: ReadonlySet<string> = new Set<CommandName>([
  "ping",
  "list_commands",
  "create_tag",
  "update_tag",
  "get_vault_status",
  "preview_vault_limits",
  "list_deleted_sessions",
  "verify_vault",
  "get_session_paths",
  "get_config_bundle",
  "save_config_bundle",
  "list_config_versions",
  "get_config_version",
  "restore_config_version",
  "diff_config_versions",
  "load_model_config",
  "save_model_config",
  "import_model_config_from_path",
  "export_model_config_to_path",
  "list_model_config_backups",
  "list_shares",
  "revoke_share",
  "restore_model_config_backup",
]);

/** Who runs this program can read and write the files anyway. */
const OWNER = { local: true, scope: "full", tokenId: null } as const;

/**
 * Opens the library in this process. Scans the directories before the first command about all sessions; a search waits
 * until everything is indexed.
 *
 * @throws {StartError} for problems that the user must fix.
 */
export async function openLocal(settings: Settings, shell: Shell): Promise<Connection> {
  startSpareWorker();
  const progress = progressLine(shell.quiet ? { write: () => undefined } : shell.streams.stderr);
  // An export shows its own progress.
  let isExporting = false;
  let tellVerification: VerificationProgress = () => undefined;
  const service = await openLocalService({
    settings,
    log: logOn(shell, progress),
    onProgress: (status) => {
      if (!isExporting) progress.update(status);
    },
    onVerification: (checked, total) => tellVerification(checked, total),
  });
  const { dispatcher, sessions } = service;

  /** The library updates a given file by itself. */
  async function prepare(command: string, payload: unknown): Promise<void> {
    if (ABOUT_NO_SESSION.has(command)) return;
    if (typeof payload === "object" && payload !== null && ("path" in payload || "paths" in payload)) return;
    await sessions.scan();
    // Polls, because between two steps of the library nothing else may keep this process alive.
    while (command === "search" && !isSettled(sessions.status())) await delay(POLL_MS);
  }

  return {
    async send(command, payload) {
      await prepare(command, payload);
      progress.clear();
      return answer(dispatcher, command, payload);
    },
    async download(query) {
      isExporting = true;
      progress.clear();
      const { file_name: fileName, chunks } = await openExport(query, service);
      return { fileName, chunks };
    },
    events: noEvents,
    followVerification(onProgress) {
      tellVerification = onProgress;
    },
    copyVault: (direction, directory) =>
      direction === "export" ? service.vault.exportTo(directory) : service.vault.importFrom(directory),
    async close() {
      progress.clear();
      await service.close();
    },
  };
}

function isSettled({ state }: LibraryStatus): boolean {
  return state === "ready" || state === "degraded";
}

/** Opens only what the commands for API tokens need. */
export function openTokens(settings: Settings, shell: Shell): Connection {
  const { dispatcher, close } = openLocalTokens({ settings, log: logOn(shell) });
  return {
    send: (command, payload) => answer(dispatcher, command, payload),
    download: () => Promise.reject(new Error("Tokens cannot be downloaded.")),
    events: noEvents,
    followVerification: noEvents,
    copyVault: () => Promise.reject(new Error("Tokens are not in the vault.")),
    close,
  };
}

function noEvents(): never {
  throw new Error("Events need a server.");
}

async function answer(dispatcher: Dispatcher, command: string, payload: unknown): Promise<unknown> {
  const response = await dispatcher.dispatch({ command, payload }, OWNER);
  const { data } = response;
  if (response.success) return data instanceof StreamedJson ? data.collect() : data;
  throw new CommandError(response.error.code, response.error.message, response.error.details);
}

/** Logs errors to standard error, with the cause if the response hides it. */
function logOn(shell: Shell, progress?: ProgressLine) {
  const tell = (text: string): void => {
    progress?.clear();
    shell.warn(text);
  };
  return {
    info: () => undefined,
    warn: (_fields: object, message: string) => tell(`warning: ${message}`),
    error(fields: object, message: string) {
      const cause = "err" in fields && fields.err instanceof Error ? `\n${fields.err.stack}` : "";
      tell(`error: ${message}${cause}`);
    },
  };
}
