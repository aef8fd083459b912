/** Paths that every search needs, in memory that threads share: to copy 50,000 takes the main thread ten milliseconds. */
export interface SharedPaths {
  /** Other paths have another version. */
  version: number;
  /** JSON array in UTF-8. */
  json: SharedArrayBuffer;
}

let versions = 0;

export function sharePaths(paths: ReadonlySet<string>): SharedPaths {
  const text = Buffer.from(JSON.stringify([...paths]));
  const json = new SharedArrayBuffer(text.length);
  new Uint8Array(json).set(text);
  return { version: ++versions, json };
}

/** The JSON array. */
export function jsonOf({ json }: SharedPaths): string {
  return Buffer.from(json).toString();
}
