/** The last part of a working directory: what people call a project. */
export function projectName(cwd: string): string {
  const name = cwd
    .replace(/[/\\]+$/, "")
    .split(/[/\\]/)
    .at(-1);
  return name === undefined || name === "" ? cwd : name;
}
