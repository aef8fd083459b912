import type { CommandInput, CommandOutput } from "@sm/router";
import type { Command } from "commander";
import { call } from "../connection/connection.ts";
import { absolutePath } from "../connection/session-argument.ts";
import { CliError, EXIT } from "../failure.ts";
import { readJsonInput } from "../json-input.ts";
import type { Column } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { examples, localTime, tell, writeList } from "./display.ts";
import type { Run } from "./run-command.ts";

const HELP = `
The agent's models.json defines providers and models. Each change keeps a backup of the previous file.

Examples:
  session-cli models show
  session-cli models import ~/models.json
  session-cli models backups
  session-cli models restore last
`;

type Backup = CommandOutput<"list_model_config_backups">[number];

/** Adds `models` and its subcommands. */
export function addModels(program: Command, run: Run): void {
  const models = program
    .command("models")
    .description("show, change and restore the agent's model configuration")
    .addHelpText("after", HELP);
  addShow(models, run);
  addSave(models, run);
  addImport(models, run);
  addExport(models, run);
  addBackups(models, run);
  addRestore(models, run);
}

function addShow(models: Command, run: Run): void {
  models
    .command("show")
    .description("write the model configuration as JSON")
    .addHelpText("after", examples("session-cli models show"))
    .action(() =>
      run(async (connection, shell) => {
        const loaded = await call(connection, "load_model_config", {});
        if (shell.json) return shell.writeJson(loaded);
        if (!loaded.exists) return shell.note(`${visible(loaded.path)} does not exist yet.`);
        shell.writeJson(loaded.config);
      }),
    );
}

function addSave(models: Command, run: Run): void {
  models
    .command("save")
    .description("save a model configuration; comments and formatting of the file are kept")
    .argument("<file>", "JSON file, - for standard input")
    .addHelpText("after", examples("session-cli models save models.json"))
    .action((file: string) =>
      run(async (connection, shell) => {
        const config = (await readJsonInput(file, shell)) as CommandInput<"save_model_config">;
        const saved = await call(connection, "save_model_config", config);
        tell(shell, saved, changed(saved));
      }),
    );
}

function addImport(models: Command, run: Run): void {
  models
    .command("import")
    .description("replace the model configuration with a file")
    .argument("<file>", ".json file")
    .addHelpText("after", examples("session-cli models import ~/models.json"))
    .action((file: string) =>
      run(async (connection, shell) => {
        const taken = await call(connection, "import_model_config_from_path", { path: absolutePath(file) });
        tell(shell, taken, changed(taken));
      }),
    );
}

function addExport(models: Command, run: Run): void {
  models
    .command("export")
    .description("copy the file, which may contain API keys")
    .argument("<file>", ".json file to write")
    .option("--force", "replace a file that exists")
    .addHelpText("after", examples("session-cli models export ~/models.json"))
    .action((file: string, { force }: { force?: true }) =>
      run(async (connection, shell) => {
        const payload = { path: absolutePath(file), overwrite: force };
        const written = await call(connection, "export_model_config_to_path", payload);
        tell(shell, written, `Written to ${visible(written.path)}`);
      }),
    );
}

function addBackups(models: Command, run: Run): void {
  models
    .command("backups")
    .description("list the backups, newest first")
    .addHelpText("after", examples("session-cli models backups"))
    .action(() =>
      run(async (connection, shell) => {
        const backups = await call(connection, "list_model_config_backups", {});
        writeList(shell, backups, backups, {
          columns: COLUMNS,
          things: "backups",
          name: ({ backup_name }) => backup_name,
        });
      }),
    );
}

function addRestore(models: Command, run: Run): void {
  models
    .command("restore")
    .description("restore a backup")
    .argument("<backup>", "name, or last")
    .addHelpText("after", examples("session-cli models restore last"))
    .action((named: string) =>
      run(async (connection, shell) => {
        const [newest] = named === "last" ? await call(connection, "list_model_config_backups", {}) : [];
        if (named === "last" && newest === undefined) throw new CliError(EXIT.notFound, "There are no backups yet.");
        const payload = { backup_name: newest?.backup_name ?? named };
        const restored = await call(connection, "restore_model_config_backup", payload);
        tell(shell, restored, changed(restored));
      }),
    );
}

const COLUMNS: Column<Backup>[] = [
  { head: "BACKUP", cell: ({ backup_name }) => backup_name },
  { head: "MADE", cell: ({ created_at }) => localTime(created_at) },
  { head: "BYTES", cell: ({ size_bytes }) => String(size_bytes), align: "right" },
];

function changed({ backup_name }: CommandOutput<"save_model_config">): string {
  if (backup_name === null) return "Saved the model configuration";
  return `Saved the model configuration; the previous one is the backup ${visible(backup_name)}`;
}
