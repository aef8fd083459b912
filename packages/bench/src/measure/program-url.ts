/** Locates a program that runs in a worker or a process of its own: the build puts them beside `main.js`. */
export function programUrl(name: string): URL {
  return new URL(`./programs/${name}.js`, import.meta.url);
}
