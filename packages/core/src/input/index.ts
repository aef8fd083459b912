export * from "./fields.ts";
export * from "./library.ts";
export { invalidPayload, validate } from "./validate.ts";
