import type { Requester } from "@sm/core";
import type { Topic } from "./events/event.ts";
import type { JsonText } from "./json-text.ts";
import type { ErrorBody } from "./response.ts";
import type * as v from "./schema/json.ts";
import type { Services } from "./services.ts";

/**
 * Converts an exception of a service to what the caller may see. Unexpected errors are logged and become `INTERNAL`.
 */
export type DescribeError = (error: unknown) => ErrorBody;

/** Access level of a command. */
export type CommandAccess =
  | {
      /** Tokens of scope `read` may use `read` commands. */
      readonly access: "read" | "write";
      readonly controls?: never;
    }
  | {
      /**
       * Runs programs on this machine, now or later, or grants rights. Only for local clients and tokens of scope
       * `full`, even if authentication is off.
       */
      readonly access: "control";
      /** What is controlled, for the error message; in the plural or with an article. */
      readonly controls: string;
    };

/** What a command may use besides its services. */
export interface CommandContext {
  /** The caller and its cancellation signal, for long operations. */
  readonly requester: Requester;
  readonly describe: DescribeError;
  /** ID of the caller's API token, `null` if none was required. */
  readonly tokenId: string | null;
  /** The registry that contains this command. */
  readonly registry: Registry<never>;
}

/**
 * Commands by name, with the services that they use; `never` for registries that are only described. A map, so that
 * `__proto__` and `constructor` are not command names.
 */
export type Registry<Used = Services> = ReadonlyMap<string, Command<v.GenericSchema, v.GenericSchema, Used>>;

/** Definition of a command; its key in the registry is its name. */
export type Command<
  Input extends v.GenericSchema = v.GenericSchema,
  Output extends v.GenericSchema = v.GenericSchema,
  /** The services it uses. */
  Used = Services,
> = CommandAccess & CommandDefinition<Input, Output, Used>;

interface CommandDefinition<Input extends v.GenericSchema, Output extends v.GenericSchema, Used> {
  /** One sentence for help and documentation. */
  readonly summary: string;
  /** Secrets that the response may contain, if that is the only reason for access `write`. */
  readonly shows?: string;
  readonly input: Input;
  /**
   * Example payload for the reference, if needed. Uses the files and IDs of `example-values.ts`, and is harmless if
   * sent as it is.
   */
  readonly example?: v.InferInput<Input>;
  /** Validated in tests, not at run time. */
  readonly output: Output;
  /** Maximum memory of a response while it is created and sent, in bytes, if considerable. */
  readonly answerBytes?: number;
  /** `none` for work that takes as long as there is data; it ends when the client disconnects. */
  readonly timeLimit?: "none";
  /** Rejects with an AppError that applies to any payload, such as `UNAVAILABLE`. */
  prerequisite?(services: Used): Promise<void>;
  /** Calls one service. May throw `AppError`. */
  run(input: v.InferOutput<Input>, services: Used, context: CommandContext): Promise<Answer<v.InferInput<Output>>>;
  /** Topics to which the caller's connection is subscribed from this response on. */
  topics?(output: v.InferInput<Output>): Topic[];
}

/** JSON text is sent as it is; arrays may be async iterables. Both are streamed. */
type Answer<Output> =
  | Output
  | JsonText<Output>
  | (Output extends readonly (infer Item)[] ? AsyncIterable<Item> : never);

/**
 * Defines a command; the types of its handler follow from the schemas. The type of the handler's second parameter names
 * the services that a dispatcher needs to run it.
 */
export function command<Input extends v.GenericSchema, Output extends v.GenericSchema, Used = object>(
  definition: Command<Input, Output, Used>,
): Command<Input, Output, Used> {
  return definition;
}

/** Creates a `command` for handlers that use only these services. */
export function commandUsing<Names extends keyof Services>() {
  return <Input extends v.GenericSchema, Output extends v.GenericSchema>(
    definition: Command<Input, Output, Pick<Services, Names>>,
  ) => definition;
}
