import { partCode } from "./part-codes.ts";

/** Names are chosen to be found; messages say what a session is about; tool output matches mostly by chance. */
const KIND_WEIGHTS: Readonly<Record<number, number>> = {
  [partCode("name", null)]: 4,
  [partCode("label", null)]: 3,
  [partCode("text", "user")]: 3,
  [partCode("summary", null)]: 2,
  [partCode("text", "assistant")]: 2,
  [partCode("text", null)]: 2,
  [partCode("thinking", "assistant")]: 1.5,
  [partCode("tool_call", "tool")]: 1.2,
  [partCode("bash", "tool")]: 1.1,
  [partCode("tool_result", "tool")]: 1,
};

/** The same by part code, see `rankDocuments`. */
export const WEIGHT_BY_CODE = Float64Array.from({ length: 256 }, (_, code) => KIND_WEIGHTS[code] ?? 1);
