/** Commands take this many paths. */
const MAX_PATHS = 1_000;

/** The paths in parts that a command takes. */
export function inBatches(paths: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(paths.length / MAX_PATHS) }, (_, index) =>
    paths.slice(index * MAX_PATHS, (index + 1) * MAX_PATHS),
  );
}
