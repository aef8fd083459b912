/** Closes one after the other, also where one fails; the first failure is thrown at the end. */
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

/** Closes all at the same time, also where one fails; a failure is thrown when all are done. */
export async function closeAllTogether(closers: readonly (() => unknown)[]): Promise<void> {
  const outcomes = await Promise.allSettled(closers.map(async (close) => close()));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}
