import { CLIENT_SESSIONS } from "./sessions/clients.ts";
import { DECOY_SESSIONS } from "./sessions/decoys.ts";
import { LANGUAGE_SESSIONS } from "./sessions/languages.ts";
import { MULTILINGUAL_SESSIONS } from "./sessions/multilingual.ts";
import { OPERATIONS_SESSIONS } from "./sessions/operations.ts";
import { RIVAL_SESSIONS } from "./sessions/rivals.ts";
import { SERVICE_SESSIONS } from "./sessions/services.ts";
import type { WrittenSession } from "./written-session.ts";

export const WRITTEN_SESSIONS: readonly WrittenSession[] = [
  ...SERVICE_SESSIONS,
  ...OPERATIONS_SESSIONS,
  ...CLIENT_SESSIONS,
  ...LANGUAGE_SESSIONS,
  ...MULTILINGUAL_SESSIONS,
  ...RIVAL_SESSIONS,
  ...DECOY_SESSIONS,
];
