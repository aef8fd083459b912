/// <reference types="node" preserve="true" />
export { editedText } from "./commented-json/edit.ts";
export { type ModelConfigOptions, openModelConfig } from "./model-config/model-config-store.ts";
export { modelConfigProblems } from "./model-config/schema.ts";
