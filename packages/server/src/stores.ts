import { AppError } from "@sm/core";
import {
  type Library,
  type LibraryOptions,
  lookIntoDirectories,
  openLibrary,
  openUserState,
  type UserState,
} from "@sm/core/node";
import { StartError } from "./start-error.ts";

/** What a service keeps open; the library has to be closed first. */
export interface Stores {
  state: UserState;
  library: Library;
}

/**
 * Opens the user state, and the library on it.
 *
 * @throws {StartError} in the words of the library, which say what is wrong with the data directory.
 */
export async function openStores(options: LibraryOptions): Promise<Stores> {
  // Before it can compare them: all that is opened here takes a quarter of a start.
  lookIntoDirectories(options);
  let state: UserState | undefined;
  try {
    state = openUserState(options);
    return { state, library: await openLibrary({ ...options, state }) };
  } catch (error) {
    await state?.close();
    throw error instanceof AppError ? new StartError(error.message, { cause: error }) : error;
  }
}
