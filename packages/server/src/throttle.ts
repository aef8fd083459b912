/** Limits a function to one call per interval: clients must not be able to fill the log. */
export function throttle<Arguments extends unknown[]>(
  intervalMs: number,
  act: (...args: Arguments) => void,
): (...args: Arguments) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (...args) => {
    const now = performance.now();
    if (now - last < intervalMs) return;
    last = now;
    act(...args);
  };
}
