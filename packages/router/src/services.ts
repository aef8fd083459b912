import type { SessionLibrary } from "@sm/core";

/** Everything that commands may use. Interfaces only, so that every command runs on fakes in a test. */
export interface Services {
  sessions: SessionLibrary;
}
