import type * as v from "valibot";
import type { Topic } from "./events/event.ts";
import type { ErrorBody } from "./response.ts";
import type { Services } from "./services.ts";

/** Turns what a service threw into what the caller may see. Defects are logged and become `INTERNAL`. */
export type DescribeError = (error: unknown) => ErrorBody;

/** All there is to know about a command; the key it stands under is its name. */
export interface Command<
  Input extends v.GenericSchema = v.GenericSchema,
  Output extends v.GenericSchema = v.GenericSchema,
> {
  /** One sentence for people, shown in help and documentation. */
  readonly summary: string;
  /**
   * `read` commands are open to tokens of scope `read`. `control` commands decide which programs run on this machine,
   * at once or later: they are for its own clients and for tokens of scope `full` alone, also where nobody else is
   * asked for a token.
   */
  readonly access: "read" | "write" | "control";
  /** What the answer may show, where that alone makes a command that changes nothing one of `write`. */
  readonly shows?: string;
  readonly input: Input;
  /** Checked against the answers in the tests, not at run time. */
  readonly output: Output;
  /** Rejects with the AppError that is the answer whatever the payload, such as `UNAVAILABLE`. */
  prerequisite?(services: Services): Promise<void>;
  /** Makes one call into a service. May throw `AppError`. */
  run(input: v.InferOutput<Input>, services: Services, describe: DescribeError): Promise<Answer<v.InferInput<Output>>>;
  /** What the caller's connection is told of from this answer on. */
  topics?(output: v.InferInput<Output>): Topic[];
}

/** An array may be answered as an iterable, which is then read while the answer is sent. */
type Answer<Output> = Output | (Output extends readonly (infer Item)[] ? AsyncIterable<Item> : never);

/** Defines a command; its handler's types follow from the schemas. */
export function command<Input extends v.GenericSchema, Output extends v.GenericSchema>(
  definition: Command<Input, Output>,
): Command<Input, Output> {
  return definition;
}
