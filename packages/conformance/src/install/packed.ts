import { execFileSync } from "node:child_process";

export interface Manifest {
  name: string;
  version: string;
  exports?: Record<string, string | Record<string, string>>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** A packed package. */
export interface Packed {
  tarball: string;
  manifest: Manifest;
}

/** Names the files in a tarball as npm would install them. */
export function filesIn({ tarball }: Packed): string[] {
  const list = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" });
  return list
    .trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""));
}
