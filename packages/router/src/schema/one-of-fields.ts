import { optional } from "@sm/core/input";
import * as v from "./json.ts";

/** Flattens an intersection, so that it reads as one object in hints and errors. */
type Flat<Type> = { [Field in keyof Type]: Type[Field] };

type WithOne<Choices, Common, Nothing> = {
  [Choice in keyof Choices]: Flat<
    Pick<Choices, Choice> & { [Other in Exclude<keyof Choices, Choice>]?: Nothing } & Common
  >;
}[keyof Choices];

/** Metadata of such a schema: the names of the alternative fields. */
export const ONE_OF = "oneOfFields";

/** Object schema with `common` fields and exactly one of `choices`. */
export function oneOfFields<Choices extends v.ObjectEntries, Common extends v.ObjectEntries>(
  choices: Choices,
  common: Common,
) {
  const names = Object.keys(choices);
  const fields = Object.entries(choices).map(([name, choice]) => [name, optional(choice as v.GenericSchema)] as const);
  const entries: v.ObjectEntries = { ...Object.fromEntries(fields), ...common };
  const schema = v.pipe(
    v.strictObject(entries),
    v.forward(
      v.check(
        (payload) => names.filter((name) => payload[name] !== undefined).length === 1,
        `Give either ${names.map((name) => `"${name}"`).join(" or ")}.`,
      ),
      [names[0] ?? ""],
    ),
    v.metadata({ [ONE_OF]: names }),
  );
  // Ensured by the check.
  return schema as unknown as v.GenericSchema<
    WithOne<
      v.InferInput<v.StrictObjectSchema<Choices, undefined>>,
      v.InferInput<v.StrictObjectSchema<Common, undefined>>,
      null | undefined
    >,
    WithOne<
      v.InferOutput<v.StrictObjectSchema<Choices, undefined>>,
      v.InferOutput<v.StrictObjectSchema<Common, undefined>>,
      undefined
    >
  >;
}
