/** The part of the URL behind `?` as screens get it: text, or several texts where a name comes more than once. */
export type RawSearch = Record<string, unknown>;

/** Parses the search parameters of the URL. Each screen interprets them and ignores invalid values. */
export function parseSearch(search: string): RawSearch {
  const parsed = new Map<string, string | string[]>();
  const params = new URLSearchParams(search);
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name);
    parsed.set(name, values.length === 1 ? (values[0] ?? "") : values);
  }
  return Object.fromEntries(parsed);
}

/** Writes the state of a screen: `true` as `1`, a list as a name that comes more than once; what is empty not at all. */
export function stringifySearch(search: RawSearch): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null || one === false || one === "") continue;
      params.append(name, one === true ? "1" : String(one));
    }
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** One text; the first where there are several. */
export function textIn(search: RawSearch, name: string): string | undefined {
  const [text] = textsIn(search, name);
  return text;
}

/** All texts of a name, without empty ones. */
export function textsIn(search: RawSearch, name: string): string[] {
  const value = search[name];
  return (Array.isArray(value) ? value : [value]).filter(
    (text): text is string => typeof text === "string" && text !== "",
  );
}

/** One of the allowed texts. */
export function oneOf<Value extends string>(
  search: RawSearch,
  name: string,
  allowed: readonly Value[],
): Value | undefined {
  const text = textIn(search, name);
  return allowed.find((value) => value === text);
}

/** Whether it is set. A state that has passed through here before is `true` already. */
export function flagIn(search: RawSearch, name: string): true | undefined {
  return search[name] === true || search[name] === "1" ? true : undefined;
}

/** Leaves out what has no value, so that states can be compared and the URL stays short. */
export function withoutUndefined<State extends object>(
  state: State,
): { [Name in keyof State]?: Exclude<State[Name], undefined> } {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)) as {
    [Name in keyof State]?: Exclude<State[Name], undefined>;
  };
}
