/** Makes a function that does what `act` does, but at most once in so many milliseconds: what strangers cause must not fill the log. */
export function atMostEvery<Arguments extends unknown[]>(
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
