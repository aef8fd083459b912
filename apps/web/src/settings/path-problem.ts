import { CommandError } from "@sm/router/client";
import { errorText } from "../design/error-state.tsx";

/** Why paths were not saved. The message of the service is about all paths, its details are about each. */
export function pathProblem(error: Error): string {
  if (!(error instanceof CommandError) || !Array.isArray(error.details)) return errorText(error);
  return error.details.map(({ message }) => message).join(" ");
}
