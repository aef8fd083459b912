/** A text with `{names}` of what is put in. Where the number of `{count}` decides the form, one text for each. */
export type Message = string | { readonly one: string; readonly other: string };

/** Names between braces in a text. */
type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** The names in a message. */
export type NamesIn<Text> = Text extends { readonly one: infer One; readonly other: infer Other }
  ? Names<One> | Names<Other> | "count"
  : Names<Text>;

/** What a text takes: nothing, or a value for each of its names. */
export type Values<Text> = [NamesIn<Text>] extends [never]
  ? []
  : [values: { readonly [Name in NamesIn<Text>]: Name extends "count" ? number : string | number }];

type Value = string | number;

/** Makes text of a message in a language; numbers are written as the language writes them. */
export function formatMessage(message: Message, values: Readonly<Record<string, Value>>, locale: string): string {
  const text = typeof message === "string" ? message : message[pluralForm(values.count, locale)];
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return placeholder;
    return typeof value === "number" ? numbers(locale).format(value) : value;
  });
}

function pluralForm(count: Value | undefined, locale: string): "one" | "other" {
  return plurals(locale).select(Number(count ?? 0)) === "one" ? "one" : "other";
}

const plurals = remember((locale) => new Intl.PluralRules(locale));
const numbers = remember((locale) => new Intl.NumberFormat(locale));

/** Making one of Intl's formats costs more than a thousand uses of it. */
export function remember<Made>(make: (locale: string) => Made): (locale: string) => Made {
  const made = new Map<string, Made>();
  return (locale) => {
    const known = made.get(locale) ?? make(locale);
    made.set(locale, known);
    return known;
  };
}

/** The same keys in another language. */
export type Catalogue<Texts> = { readonly [Key in keyof Texts]: Message };
