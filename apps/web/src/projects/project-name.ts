/** The last part of a working directory: what people call a project. */
export function projectName(cwd: string): string {
  return lastParts(cwd, 1);
}

/** Names of projects, each with as many directories before it as tell it from the others that end like it. */
export function projectNames(cwds: Iterable<string>): ReadonlyMap<string, string> {
  const byName = new Map<string, string[]>();
  for (const cwd of cwds) {
    const name = projectName(cwd);
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [cwd]);
    else known.push(cwd);
  }
  const names = new Map<string, string>();
  for (const [name, alike] of byName) {
    if (alike.length === 1) for (const cwd of alike) names.set(cwd, name);
    else nameApart(alike, names);
  }
  return names;
}

function nameApart(alike: readonly string[], names: Map<string, string>): void {
  let left = alike;
  for (let count = 2; left.length > 0; count++) {
    const counts = new Map<string, number>();
    for (const cwd of alike) {
      const name = lastParts(cwd, count);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    left = left.filter((cwd) => {
      const name = lastParts(cwd, count);
      if (counts.get(name) !== 1 && name !== cwd) return true;
      names.set(cwd, name);
      return false;
    });
  }
}

/** The end of a path, as it is written; all of it where it has no more parts. */
function lastParts(path: string, count: number): string {
  let start = path.length;
  while (start > 0 && isSeparator(path[start - 1])) start -= 1;
  const end = start;
  for (let part = 0; part < count && start > 0; part++) {
    if (part > 0) start -= 1;
    while (start > 0 && !isSeparator(path[start - 1])) start -= 1;
  }
  // With nothing before it but the root, a path says more than its last part does.
  return end === 0 || (count > 1 && start <= 1) ? path : path.slice(start, end);
}

function isSeparator(sign: string | undefined): boolean {
  return sign === "/" || sign === "\\";
}
