import type { Command } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { findSession } from "../connection/session-argument.ts";
import { visible } from "../terminal/visible.ts";
import { examples, tell } from "./display.ts";
import { sessionsText } from "./list.ts";
import type { Run } from "./run-command.ts";

const HELP = `
Examples:
  session-cli favorite add last
  session-cli favorite list
`;

/** Limit of the table; JSON has no limit. */
const MAX_SHOWN = 500;

/** Adds `favorite list`, `favorite add` and `favorite remove`. */
export function addFavorite(program: Command, run: Run): void {
  const favorite = program.command("favorite").description("mark sessions as favorites").addHelpText("after", HELP);
  favorite
    .command("list")
    .description("list the favorites")
    .addHelpText("after", examples("session-cli favorite list"))
    .action(() =>
      run(async (connection, shell) => {
        if (shell.json) return shell.writeJson(await call(connection, "list_favorites", {}));
        const page = await call(connection, "list_sessions", { favorites_only: true, limit: MAX_SHOWN });
        shell.show(sessionsText(page, shell));
      }),
    );
  for (const [name, wanted, done] of [
    ["add", true, "is a favorite"],
    ["remove", false, "is not a favorite"],
  ] as const) {
    favorite
      .command(name)
      .description(wanted ? "add sessions to the favorites" : "remove sessions from the favorites")
      .argument("<session...>", "path, id, beginning of an id, title, or last")
      .addHelpText("after", examples(`session-cli favorite ${name} last 4f2a91c0`))
      .action((named: string[]) =>
        run(async (connection, shell) => {
          // Resolves all arguments before the first change.
          const paths: string[] = [];
          for (const text of named) paths.push((await findSession(text, connection)).path);
          const answers: { path: string; is_favorite: boolean }[] = [];
          for (const path of paths) answers.push(await setFavorite(path, wanted, connection));
          tell(shell, answers, answers.map(({ path }) => `${visible(path)} ${done}`).join(".\n"));
        }),
      );
  }
}

async function setFavorite(path: string, wanted: boolean, connection: Connection) {
  const favorites = await call(connection, "list_favorites", {});
  if (favorites.includes(path) === wanted) return { path, is_favorite: wanted };
  const toggled = await call(connection, "toggle_favorite", { path });
  // The list has real paths, so a path through a link is not found in it.
  return toggled.is_favorite === wanted ? toggled : call(connection, "toggle_favorite", { path });
}
