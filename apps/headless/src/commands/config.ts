import type { CommandInput, CommandOutput } from "@sm/router";
import type { Command } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { CliError, EXIT } from "../failure.ts";
import { readJsonInput } from "../json-input.ts";
import { writeNewFile } from "../new-file.ts";
import type { Shell } from "../shell.ts";
import type { Column } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { examples, localTime, shortIds, tell, writeList } from "./display.ts";
import type { Run } from "./run-command.ts";

const HELP = `
The configuration consists of session-manager.json, preferences, tags, and the agent's settings.json and
models.json, which may contain API keys. <version> is an id, the beginning of an id, or last for the current one.

Examples:
  session-cli config versions
  session-cli config diff
  session-cli config restore 4f2a91c0
  session-cli config export laptop.json
  session-cli config import laptop.json
`;

type Version = CommandOutput<"list_config_versions">[number];
type Difference = CommandOutput<"diff_config_versions">["changes"][number];

/** Adds `config` and its subcommands. */
export function addConfig(program: Command, run: Run): void {
  const config = program
    .command("config")
    .description("show, export and restore the configuration")
    .addHelpText("after", HELP);
  addShow(config, run);
  addVersions(config, run);
  addDiff(config, run);
  addRestore(config, run);
  addExport(config, run);
  addImport(config, run);
}

function addShow(config: Command, run: Run): void {
  config
    .command("show")
    .description("write the configuration, or an earlier one, as JSON")
    .argument("[version]", "id, beginning of an id, or last")
    .addHelpText("after", examples("session-cli config show", "session-cli config show 4f2a91c0"))
    .action((named: string | undefined) =>
      run(async (connection, shell) => shell.writeJson(await bundleOf(named, connection))),
    );
}

function addVersions(config: Command, run: Run): void {
  config
    .command("versions")
    .description("list the versions of the configuration, newest first")
    .addHelpText("after", examples("session-cli config versions"))
    .action(() =>
      run(async (connection, shell) => {
        const versions = await call(connection, "list_config_versions", {});
        const columns = versionColumns(versions, shell);
        writeList(shell, versions, versions, { columns, things: "versions", name: ({ id }) => id });
      }),
    );
}

function addDiff(config: Command, run: Run): void {
  config
    .command("diff")
    .description("show the differences between two versions")
    .argument("[from]", "id, beginning of an id, or last (default: the version before the last)")
    .argument("[to]", "likewise", "last")
    .addHelpText("after", examples("session-cli config diff", "session-cli config diff 4f2a91c0"))
    .action((from: string | undefined, to: string) =>
      run(async (connection, shell) => {
        const versions = await call(connection, "list_config_versions", {});
        const [before, after] = [findVersion(from ?? versions[1]?.id ?? "last", versions), findVersion(to, versions)];
        const difference = await call(connection, "diff_config_versions", { from: before.id, to: after.id });
        if (shell.json) return shell.writeJson(difference);
        const lines = difference.changes.map((change) => `${differenceText(change, shell)}\n`);
        shell.show(lines.length > 0 ? lines.join("") : `${shell.colors.dim("No differences")}\n`);
      }),
    );
}

function addRestore(config: Command, run: Run): void {
  config
    .command("restore")
    .description("restore an earlier configuration; the current one is kept as a version")
    .argument("<version>", "id, or beginning of an id")
    .addHelpText("after", examples("session-cli config restore 4f2a91c0"))
    .action((named: string) =>
      run(async (connection, shell) => {
        const version = findVersion(named, await call(connection, "list_config_versions", {}));
        const restored = await call(connection, "restore_config_version", { id: version.id });
        tell(shell, restored, `Restored the configuration of ${localTime(version.created_at)}`);
      }),
    );
}

function addExport(config: Command, run: Run): void {
  config
    .command("export")
    .description("write the configuration to a file that only you can read: it may contain API keys")
    .argument("<file>", "file to write, - for standard output")
    .option("--marks", "include your notes, bookmarks, favorites, archived sessions, names and tags of sessions")
    .option("--force", "replace a file that exists")
    .addHelpText(
      "after",
      examples("session-cli config export laptop.json", "session-cli config export --marks laptop.json"),
    )
    .action((file: string, { force, marks }: { force?: true; marks?: true }) =>
      run(async (connection, shell) => {
        const bundle = await call(connection, "get_config_bundle", marks === true ? { include_marks: true } : {});
        if (file === "-") return shell.writeJson(bundle);
        await writeNewFile(file, [Buffer.from(`${JSON.stringify(bundle, null, 2)}\n`)], {
          replace: force === true,
          mode: 0o600,
        });
        shell.note(`Written to ${visible(file)}.`);
      }),
    );
}

function addImport(config: Command, run: Run): void {
  config
    .command("import")
    .description("replace the configuration with a file: all of it or nothing; marks in it are added to yours")
    .argument("<file>", "file written by config export, - for standard input")
    .option("--no-marks", "leave out the notes, bookmarks and other marks of the file")
    .addHelpText("after", examples("session-cli config import laptop.json"))
    .action((file: string, { marks }: { marks: boolean }) =>
      run(async (connection, shell) => {
        const read = (await readJsonInput(file, shell)) as CommandInput<"save_config_bundle">;
        const bundle = marks ? read : { ...read, marks: undefined };
        const saved = await call(connection, "save_config_bundle", bundle);
        tell(shell, saved, "Configuration imported; session-cli config versions lists the earlier ones");
      }),
    );
}

async function bundleOf(named: string | undefined, connection: Connection): Promise<unknown> {
  if (named === undefined) return call(connection, "get_config_bundle", {});
  const { id } = findVersion(named, await call(connection, "list_config_versions", {}));
  return (await call(connection, "get_config_version", { id })).bundle;
}

/** @throws {CliError} `notFound` for no match or several; lists the candidates. */
function findVersion(named: string, versions: readonly Version[]): Version {
  const [newest] = versions;
  if (named === "last" && newest !== undefined) return newest;
  const [only, ...others] = named === "" ? [] : versions.filter(({ id }) => id.startsWith(named));
  if (only === undefined) {
    throw new CliError(
      EXIT.notFound,
      `There is no version "${visible(named)}"; session-cli config versions shows all.`,
    );
  }
  if (others.length === 0) return only;
  const lines = [only, ...others].map(({ id, created_at, origin }) => `  ${id}  ${localTime(created_at)}  ${origin}`);
  throw new CliError(EXIT.notFound, `"${visible(named)}" is ambiguous; give more of the id:`, lines);
}

function versionColumns(versions: readonly Version[], { colors }: Shell): Column<Version>[] {
  const shortId = shortIds(versions.map(({ id }) => id));
  return [
    { head: "ID", cell: ({ id }) => shortId(id), paint: colors.yellow },
    { head: "SINCE", cell: ({ created_at }) => localTime(created_at) },
    { head: "MADE BY", cell: ({ origin }) => origin, flexible: true },
    { head: "BYTES", cell: ({ size_bytes }) => String(size_bytes), align: "right", optional: true },
  ];
}

function differenceText({ path, kind, from, to }: Difference, { colors }: Shell): string {
  const values = { added: [to], removed: [from], changed: [from, to] }[kind];
  const text = visible(`${path}: ${values.map((value) => JSON.stringify(value)).join(" → ")}`);
  if (kind === "added") return colors.green(`+ ${text}`);
  return kind === "removed" ? colors.red(`- ${text}`) : colors.yellow(`~ ${text}`);
}
