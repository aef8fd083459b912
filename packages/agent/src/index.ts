/// <reference types="node" preserve="true" />
export { editedText } from "./commented-json/edit.ts";
export { modelConfigProblems } from "./model-config/schema.ts";
export { type ModelConfigOptions, openModelConfig } from "./model-config/store.ts";
