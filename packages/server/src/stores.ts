import { AppError } from "@sm/core";
import {
  type Library,
  type LibraryOptions,
  openLibrary,
  openUserState,
  startDirectoryScan,
  type UserState,
} from "@sm/core/node";
import { StartError } from "./start-error.ts";

/** Stores of a service; the library must be closed first. */
export interface Stores {
  state: UserState;
  library: Library;
}

/**
 * Opens the user state and the library.
 *
 * @throws {StartError} with the library's message if there is a problem with the data directory.
 */
export async function openStores(options: LibraryOptions): Promise<Stores> {
  // Starts the scan early: opening the stores takes a quarter of the start.
  startDirectoryScan(options);
  let state: UserState | undefined;
  try {
    state = openUserState(options);
    return { state, library: await openLibrary({ ...options, state }) };
  } catch (error) {
    await state?.close();
    throw error instanceof AppError ? new StartError(error.message, { cause: error }) : error;
  }
}
