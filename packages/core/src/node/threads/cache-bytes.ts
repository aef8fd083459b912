/** What caches hold, in bytes. */
export interface CacheBytes {
  /** Progress of the sessions that have grown last. */
  folds: number;
  /** Pieces of the text index. */
  text: number;
}

/** What a library keeps in memory beside what it works on. */
export interface LibraryMemory {
  /** Threads that run. */
  threads: number;
  caches: CacheBytes;
}

export const NO_CACHE_BYTES: Readonly<CacheBytes> = { folds: 0, text: 0 };

export function sumOfCaches(all: readonly Readonly<CacheBytes>[]): CacheBytes {
  const sum = (name: keyof CacheBytes) => all.reduce((total, one) => total + one[name], 0);
  return { folds: sum("folds"), text: sum("text") };
}
