import type { HubKeeping } from "@sm/hub";
import { readSettings } from "@sm/server/early";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CliError, EXIT, withCause } from "../failure.ts";
import { storeOption } from "../option-values.ts";
import { examples, sizeText } from "./display.ts";
import type { RunAlone } from "./run-command.ts";

interface StoreOptions {
  store: string;
  configDir?: string;
}

/** Adds the commands for the bytes that a hub keeps: they need its database and its configuration, and no server. */
export function addHubChunks(hub: Command, runAlone: RunAlone): void {
  hub
    .command("move-chunks")
    .description("move the bytes of the hub that you run into its object store, or back; its servers may run")
    .addOption(new Option("--to <place>", "where to").choices(["objects", "database"]).default("objects"))
    .addOption(storeOption())
    .addHelpText("after", examples("session-cli hub move-chunks --store postgres://hub@db/hub"))
    .action((_options: unknown, command: Command) =>
      runAlone(async (shell) => {
        const options = command.optsWithGlobals<StoreOptions & { to: "objects" | "database" }>();
        const moved = await keepingOf(options, (keeping) =>
          keeping.move(options.to, (now) => shell.note(movedText(now))),
        );
        const left = moved.lost.length + moved.damaged.length;
        if (shell.json) shell.writeJson(moved);
        else shell.show(`Moved ${movedText(moved)}${left === 0 ? "" : `; ${left} could not be moved`}\n`);
        failIfLost(moved);
      }),
    );
  hub
    .command("check-chunks")
    .description("compare the object store of the hub that you run with its database")
    .option("--collect", "have objects removed later that the database does not know")
    .addOption(storeOption())
    .addHelpText("after", examples("session-cli hub check-chunks --store postgres://hub@db/hub"))
    .action((_options: unknown, command: Command) =>
      runAlone(async (shell) => {
        const options = command.optsWithGlobals<StoreOptions & { collect?: true }>();
        const found = await keepingOf(options, (keeping) => keeping.check({ adopts: options.collect === true }));
        if (shell.json) shell.writeJson(found);
        else shell.show(`${checkedText(found)}\n`);
        failIfLost(found);
      }),
    );
}

function movedText({ chunks, bytes }: { chunks: number; bytes: number }): string {
  return `${chunks} ${chunks === 1 ? "chunk" : "chunks"}, ${sizeText(bytes)}`;
}

function checkedText({ lost, damaged, loose }: { lost: string[]; damaged: string[]; loose: number }): string {
  const are = (count: number) => (count === 1 ? "is" : "are");
  const [first, second] = [lost.length, damaged.length];
  const objects = first === 1 ? "object" : "objects";
  return `${first} ${objects} ${are(first)} lost, ${second} ${are(second)} damaged; ${loose} ${are(loose)} not known.`;
}

/** A timer notices it by the exit code. */
function failIfLost({ lost, damaged }: { lost: string[]; damaged: string[] }): void {
  const lines = [...lost.map((key) => `Lost: ${key}`), ...damaged.map((key) => `Damaged: ${key}`)];
  if (lines.length > 0) throw new CliError(EXIT.failure, lines.join("\n"));
}

/** Adds `hub retention`, for users who say nothing else. */
export function addHubRetention(hub: Command, runAlone: RunAlone): void {
  hub
    .command("retention")
    .description("show or set for how many days the hub that you run keeps sessions of users who say nothing else")
    .addOption(new Option("--days <days>", "after their last message").argParser(parseDays).conflicts("forever"))
    .addOption(new Option("--forever", "remove none"))
    .addOption(storeOption())
    .addHelpText("after", examples("session-cli hub retention --days 730 --store postgres://hub@db/hub"))
    .action(({ store: url, days, forever }: { store: string; days?: number; forever?: true }) =>
      runAlone(async (shell) => {
        const { hubRetention } = await import("@sm/hub");
        const kept = await hubRetention({ url, log: SILENT }, forever === true ? null : days);
        if (shell.json) shell.writeJson({ days: kept });
        else shell.show(kept === null ? "Sessions are kept for ever.\n" : `Sessions are kept for ${kept} days.\n`);
      }),
    );
}

const MOST_DAYS = 36_500;

function parseDays(text: string): number {
  const days = /^\d+$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= MOST_DAYS) return days;
  throw new InvalidArgumentError(`Name a number of days from 1 to ${MOST_DAYS}.`);
}

const nothing = () => undefined;
const SILENT = { info: nothing, warn: nothing, error: nothing };

/** Loaded on demand: nobody at home needs PostgreSQL's client. */
async function keepingOf<Result>(
  { store, configDir }: StoreOptions,
  use: (keeping: HubKeeping) => Promise<Result>,
): Promise<Result> {
  const { chunkStoreOf, withHubKeeping } = await import("@sm/hub");
  const settings = readSettings(configDir === undefined ? {} : { "config-dir": configDir }, process.env);
  const chunkStore = await chunkStoreOf(settings);
  try {
    return await withHubKeeping({ url: store, log: SILENT, chunkStore }, use);
  } catch (error) {
    // It may be another disk, or a wrong key: what the servers say only in their logs.
    throw withCause(error);
  }
}
