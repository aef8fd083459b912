import * as v from "valibot";

// Every schema of this package is made with what this module exports; the linter refuses valibot's own.
export * from "valibot";

/** Wraps a maker of schemas of objects, so that they refuse arrays as they refuse `null`. */
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

// valibot reads an array as an object: of `{"providers": []}` it would make `{"providers": {}}`, and saving that would
// empty what the user has there.
export const object = withoutArrays(v.object);
export const strictObject = withoutArrays(v.strictObject);
export const looseObject = withoutArrays(v.looseObject);
export const objectWithRest = withoutArrays(v.objectWithRest);
export const record = withoutArrays(v.record);
