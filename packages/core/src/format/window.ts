/** Adds a value to what a reader keeps of the lines before; the oldest one goes where there are too many. */
export function pushInto<T>(window: T[], value: T, most: number): void {
  window.push(value);
  if (window.length > most) window.shift();
}
