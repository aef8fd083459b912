import type { Asker } from "@sm/core";
import type { Topic } from "./events/event.ts";
import type { JsonText } from "./json-text.ts";
import type { ErrorBody } from "./response.ts";
import type * as v from "./schema/json.ts";
import type { Services } from "./services.ts";

/** Turns what a service threw into what the caller may see. Defects are logged and become `INTERNAL`. */
export type DescribeError = (error: unknown) => ErrorBody;

/** Who may call a command. */
export type CommandAccess =
  | {
      /** `read` commands are open to tokens of scope `read`. */
      readonly access: "read" | "write";
      readonly controls?: never;
    }
  | {
      /**
       * What runs programs on this machine, at once or later, or grants rights: for clients of this machine and for
       * tokens of scope `full` alone, also where nobody else is asked for a token.
       */
      readonly access: "control";
      /** What is controlled, in the plural or with an article: who is refused is told. */
      readonly controls: string;
    };

/** What a command may use beside its services. */
export interface CommandContext {
  /** For a service that works at length: who asks, and whether somebody still does. */
  readonly asker: Asker;
  readonly describe: DescribeError;
  /** Id of the API token that the caller came in with, `null` where none was needed. */
  readonly tokenId: string | null;
  /** The commands that can be called where this one was. */
  readonly registry: Registry<never>;
}

/**
 * Commands by name, and the services that they use together; `never` where none of them is run. A map, so that
 * `__proto__` and `constructor` are no commands.
 */
export type Registry<Used = Services> = ReadonlyMap<string, Command<v.GenericSchema, v.GenericSchema, Used>>;

/** All there is to know about a command; the key it stands under is its name. */
export type Command<
  Input extends v.GenericSchema = v.GenericSchema,
  Output extends v.GenericSchema = v.GenericSchema,
  /** The services that it uses. */
  Used = Services,
> = CommandAccess & CommandDefinition<Input, Output, Used>;

interface CommandDefinition<Input extends v.GenericSchema, Output extends v.GenericSchema, Used> {
  /** One sentence for people, shown in help and documentation. */
  readonly summary: string;
  /** What the answer may show, where that alone makes a command that changes nothing one of `write`. */
  readonly shows?: string;
  readonly input: Input;
  /**
   * A payload for the reference, where the command needs one. It speaks of the files and ids of `example-values.ts`, and
   * loses nothing of a user who sends it as it stands.
   */
  readonly example?: v.InferInput<Input>;
  /** Checked against the answers in the tests, not at run time. */
  readonly output: Output;
  /** Memory that an answer takes at most while it is made and sent, in bytes, where that is more than a little. */
  readonly answerBytes?: number;
  /** Rejects with the AppError that is the answer whatever the payload, such as `UNAVAILABLE`. */
  prerequisite?(services: Used): Promise<void>;
  /** Makes one call into a service. May throw `AppError`. */
  run(input: v.InferOutput<Input>, services: Used, context: CommandContext): Promise<Answer<v.InferInput<Output>>>;
  /** What the caller's connection is told of from this answer on. */
  topics?(output: v.InferInput<Output>): Topic[];
}

/** What is written already is answered as its text, and an array may be an iterable: both are read while they are sent. */
type Answer<Output> =
  | Output
  | JsonText<Output>
  | (Output extends readonly (infer Item)[] ? AsyncIterable<Item> : never);

/**
 * Defines a command; its handler's types follow from the schemas. The services that the handler names in the type of its
 * second parameter are those that a dispatcher needs to run it.
 */
export function command<Input extends v.GenericSchema, Output extends v.GenericSchema, Used = object>(
  definition: Command<Input, Output, Used>,
): Command<Input, Output, Used> {
  return definition;
}

/** Makes a `command` for handlers that use these of the service's own services, and no others. */
export function commandUsing<Names extends keyof Services>() {
  return <Input extends v.GenericSchema, Output extends v.GenericSchema>(
    definition: Command<Input, Output, Pick<Services, Names>>,
  ) => definition;
}
