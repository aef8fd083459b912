/** When to use colors; `false` is `--no-color`. */
export type ColorChoice = "auto" | "always" | "never" | false;

/**
 * Decides whether to use colors: by the option, then by `NO_COLOR` (no-color.org) and `FORCE_COLOR` (force-color.org),
 * then by whether the output is a terminal with color support.
 */
export function hasColors(choice: ColorChoice | undefined, isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if (choice === "always") return true;
  if (choice === "never" || choice === false || env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "") return !["0", "false"].includes(env.FORCE_COLOR);
  return isTerminal && env.TERM !== "dumb";
}
