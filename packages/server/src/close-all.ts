/** Closes sequentially, even if one fails; throws the first error at the end. */
export async function closeAll(closers: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Closes concurrently, even if one fails; throws an error when all are done. */
export async function closeAllTogether(closers: readonly (() => unknown)[]): Promise<void> {
  const outcomes = await Promise.allSettled(closers.map(async (close) => close()));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}
