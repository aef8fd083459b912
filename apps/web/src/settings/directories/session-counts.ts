/** What was found in a directory of sessions. */
export interface DirectoryCount {
  directory: string;
  sessions: number;
}

/**
 * Counts the sessions of each directory. One that lies in several counts for the innermost, so that the sum is right.
 *
 * @param paths of session files, as the service tells them.
 */
export function countSessions(directories: readonly string[], paths: Iterable<string>): DirectoryCount[] {
  const counts = directories.map((directory) => ({ directory, prefix: withSeparator(directory), sessions: 0 }));
  const innermostFirst = [...counts].sort((a, b) => b.prefix.length - a.prefix.length);
  for (const path of paths) {
    const count = innermostFirst.find(({ prefix }) => path.startsWith(prefix));
    if (count !== undefined) count.sessions += 1;
  }
  return counts.map(({ directory, sessions }) => ({ directory, sessions }));
}

/** Tells whether a directory is, or lies in, one that is looked at anyway. */
export function isWithin(directory: string, others: readonly string[]): boolean {
  return others.some((other) => withSeparator(directory).startsWith(withSeparator(other)));
}

function withSeparator(directory: string): string {
  const separator = directory.includes("\\") && !directory.includes("/") ? "\\" : "/";
  return directory.endsWith(separator) ? directory : directory + separator;
}
