import { explaining } from "./errors.ts";

type Method = (...input: unknown[]) => Promise<unknown>;

/**
 * What a thread may ask, each failure explained here: its cause, which says that the database does not answer, does not
 * get to the thread and back.
 */
export function threadSource<Methods extends object>(methods: Methods): Methods {
  const explainingMethods = Object.entries(methods).map(([name, method]: [string, Method]) => [
    name,
    (...input: unknown[]) => explaining(() => method(...input)),
  ]);
  // The same names, and what each of them takes and gives.
  return Object.fromEntries(explainingMethods) as Methods;
}
