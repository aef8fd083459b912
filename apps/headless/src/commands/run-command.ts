import type { Connection } from "../connection/connection.ts";
import type { Shell } from "../shell.ts";

/** Runs the work of a subcommand with a connection, which is closed afterwards. */
export type Run = (work: (connection: Connection, shell: Shell) => Promise<void>) => Promise<void>;

/** The same without a connection, for work that needs no sessions. */
export type RunAlone = (work: (shell: Shell) => Promise<void>) => Promise<void>;
