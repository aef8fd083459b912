import { AppError } from "../../errors.ts";

/** The error for what the vault does not have. */
export function notKept(path: string, generation: number | null = null): AppError {
  const what = generation === null ? "" : `generation ${generation} of `;
  return new AppError("NOT_FOUND", `The vault does not have ${what}${path}; list_generations tells what it has.`);
}
