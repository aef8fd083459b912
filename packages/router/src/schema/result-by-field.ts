import * as v from "./json.ts";

type Results = Readonly<Record<string, v.GenericSchema>>;

/** Schema of a result that depends on which alternative field the payload has. */
export interface ResultByField<Fields extends Results>
  extends v.GenericSchema<v.InferInput<Fields[keyof Fields]>, v.InferOutput<Fields[keyof Fields]>> {
  readonly results: Fields;
}

/** Defines the result for each alternative field of the payload. */
export function resultByField<Fields extends Results>(results: Fields): ResultByField<Fields> {
  return Object.assign(v.union(Object.values(results)), { results }) as unknown as ResultByField<Fields>;
}

/** The result for a payload of type `Sent`; a union if that type is not specific. */
export type ResultOf<Output extends v.GenericSchema, Sent> =
  Output extends ResultByField<infer Fields>
    ? OrElse<{ [Field in keyof Fields]: Told<Sent, Field, v.InferOutput<Fields[Field]>> }[keyof Fields], Output>
    : v.InferOutput<Output>;

type Told<Sent, Field extends PropertyKey, Result> =
  Sent extends Readonly<Record<Field, NonNullable<unknown>>> ? Result : never;

type OrElse<Result, Output extends v.GenericSchema> = [Result] extends [never] ? v.InferOutput<Output> : Result;
