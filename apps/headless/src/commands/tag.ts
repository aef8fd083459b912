import type { Command } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { findSession } from "../connection/session-argument.ts";
import { findTag, listTags, type PlacedTag } from "../connection/tag-argument.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Shell } from "../shell.ts";
import type { Column } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { examples, tell, writeList } from "./display.ts";
import type { Run } from "./run-command.ts";

const HELP = `
<tag> is a path such as work/urgent, a unique name, or an id.

Examples:
  session-cli tag create work
  session-cli tag create work/urgent --color '#cc3333'
  session-cli tag add work/urgent last 4f2a91c0
  session-cli tag move urgent /             to the top level
  session-cli list --tag work/urgent
`;

/** Grey; users choose colors to distinguish tags. */
const DEFAULT_COLOR = "#808080";

/** Adds `tag` and its subcommands. */
export function addTag(program: Command, run: Run): void {
  const tag = program.command("tag").description("organise sessions with a tree of tags").addHelpText("after", HELP);
  addList(tag, run);
  addCreate(tag, run);
  addRename(tag, run);
  addColor(tag, run);
  addMove(tag, run);
  addDelete(tag, run);
  addAttach(tag, run, "add");
  addAttach(tag, run, "remove");
}

function addList(tag: Command, run: Run): void {
  tag
    .command("list")
    .description("list the tags with their number of sessions")
    .addHelpText("after", examples("session-cli tag list"))
    .action(() =>
      run(async (connection, shell) => {
        const tags = await listTags(connection);
        writeList(shell, tags, tags, { columns: COLUMNS, things: "tags", name: ({ path }) => path });
      }),
    );
}

function addCreate(tag: Command, run: Run): void {
  tag
    .command("create")
    .description("create a tag at the top level or below another tag")
    .argument("<path>", "path of the tag, such as work/urgent")
    .option("--color <color>", "such as #3366cc", DEFAULT_COLOR)
    .addHelpText(
      "after",
      examples("session-cli tag create work", "session-cli tag create work/urgent --color '#cc3333'"),
    )
    .action((path: string, { color }: { color: string }) =>
      run(async (connection, shell) => {
        const slash = path.lastIndexOf("/");
        const parent = slash > 0 ? await findTag(path.slice(0, slash), connection) : null;
        const name = path.slice(slash + 1);
        const created = await call(connection, "create_tag", { name, color, parent_id: parent?.id ?? null });
        tell(shell, created, `Created the tag ${visible(path)}`);
      }),
    );
}

function addRename(tag: Command, run: Run): void {
  tag
    .command("rename")
    .description("rename a tag")
    .argument("<tag>", "path, name or id")
    .argument("<name>", "the new name")
    .addHelpText("after", examples("session-cli tag rename work/urgent now"))
    .action((named: string, name: string) => run(change(named, () => ({ name }), `Renamed to ${visible(name)}`)));
}

function addColor(tag: Command, run: Run): void {
  tag
    .command("color")
    .description("change the color of a tag")
    .argument("<tag>", "path, name or id")
    .argument("<color>", "such as #3366cc")
    .addHelpText("after", examples("session-cli tag color work/urgent '#cc3333'"))
    .action((named: string, color: string) => run(change(named, () => ({ color }), "Changed the color")));
}

function addMove(tag: Command, run: Run): void {
  tag
    .command("move")
    .description("move a tag and the tags below it")
    .argument("<tag>", "path, name or id")
    .argument("<parent>", "path, name or id, / for the top level")
    .addHelpText("after", examples("session-cli tag move urgent work", "session-cli tag move work/urgent /"))
    .action((named: string, parent: string) =>
      run(
        change(
          named,
          async (connection) => ({ parent_id: parent === "/" ? null : (await findTag(parent, connection)).id }),
          parent === "/" ? "Moved to the top level" : `Moved below ${visible(parent)}`,
        ),
      ),
    );
}

function addDelete(tag: Command, run: Run): void {
  tag
    .command("delete")
    .description("delete a tag; the tags below it move up one level")
    .argument("<tag>", "path, name or id")
    .option("-y, --yes", "do not ask for confirmation; required without a terminal if sessions have the tag")
    .addHelpText("after", examples("session-cli tag delete work/urgent"))
    .action((named: string, { yes }: { yes?: true }) =>
      run(async (connection, shell) => {
        const found = await findTag(named, connection);
        if (yes !== true && found.session_count > 0) await agree(found, shell);
        const deleted = await call(connection, "delete_tag", { id: found.id });
        tell(shell, deleted, `Deleted the tag ${visible(found.path)}`);
      }),
    );
}

/** Adds the command that attaches a tag to sessions, or removes it. */
function addAttach(tag: Command, run: Run, name: "add" | "remove"): void {
  const [command, when] = name === "add" ? (["assign_tag", "now"] as const) : (["remove_tag", "no longer"] as const);
  tag
    .command(name)
    .description(name === "add" ? "attach a tag to sessions" : "remove a tag from sessions")
    .argument("<tag>", "path, name or id")
    .argument("<session...>", "path, id, beginning of an id, title, or last")
    .addHelpText("after", examples(`session-cli tag ${name} work/urgent last 4f2a91c0`))
    .action((named: string, sessions: string[]) =>
      run(async (connection, shell) => {
        const { id, path } = await findTag(named, connection);
        const session_paths: string[] = [];
        for (const session of sessions) session_paths.push((await findSession(session, connection)).path);
        const answer = await call(connection, command, { session_paths, tag_id: id });
        const { length } = session_paths;
        const have = length === 1 ? `1 session ${when} has` : `${length} sessions ${when} have`;
        tell(shell, answer, `${have} the tag ${visible(path)}`);
      }),
    );
}

const COLUMNS: Column<PlacedTag>[] = [
  { head: "TAG", cell: ({ path }) => path, flexible: true },
  { head: "COLOR", cell: ({ color }) => color },
  { head: "SESSIONS", cell: ({ session_count }) => String(session_count), align: "right" },
  { head: "ID", cell: ({ id }) => id, optional: true },
];

type Changes = { name?: string; color?: string; parent_id?: string | null };

/** Changes a tag given by name. */
function change(
  named: string,
  changesOf: (connection: Connection) => Changes | Promise<Changes>,
  done: string,
): (connection: Connection, shell: Shell) => Promise<void> {
  return async (connection, shell) => {
    const { id, path } = await findTag(named, connection);
    const changed = await call(connection, "update_tag", { id, ...(await changesOf(connection)) });
    tell(shell, changed, `${visible(path)}: ${done}`);
  };
}

async function agree({ path, session_count }: PlacedTag, shell: Shell): Promise<void> {
  if (!shell.canAsk) {
    throw new CliError(
      EXIT.usage,
      "Sessions have this tag, and there is no terminal to ask for confirmation: add --yes to delete it.",
    );
  }
  const sessions = session_count === 1 ? "1 session has" : `${session_count} sessions have`;
  if (await shell.confirm(`${sessions} the tag ${visible(path)}. Delete it?`)) return;
  throw new CliError(EXIT.failure, "Nothing was deleted.");
}
