import * as v from "valibot";

// All schemas of this package must be created with these exports; the linter rejects direct imports of valibot.
export * from "valibot";

/** Wraps a factory of object schemas, so that they reject arrays as they reject `null`. */
function withoutArrays<Make extends (...args: never[]) => v.GenericSchema>(make: Make): Make {
  const makeRefusing = (...args: Parameters<Make>) => {
    const schema = make(...args);
    const run = schema["~run"];
    return Object.assign(schema, {
      // `this`: functions such as `v.partial` copy a schema and give the copy other entries.
      "~run"(this: v.GenericSchema, dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
        return run.call(this, Array.isArray(dataset.value) ? { ...dataset, value: null } : dataset, config);
      },
    });
  };
  return makeRefusing as unknown as Make;
}

// valibot accepts an array as an object: it would turn `{"providers": []}` into `{"providers": {}}`, and saving that
// would delete the user's providers.
export const object = withoutArrays(v.object);
export const strictObject = withoutArrays(v.strictObject);
export const looseObject = withoutArrays(v.looseObject);
export const objectWithRest = withoutArrays(v.objectWithRest);
export const record = withoutArrays(v.record);
