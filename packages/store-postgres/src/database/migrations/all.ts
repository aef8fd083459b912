import type { Migration } from "../migrate.ts";
import { USER_STATE } from "./0001-user-state.ts";
import { SESSION_FILES } from "./0002-session-files.ts";
import { SESSIONS } from "./0003-sessions.ts";
import { TEXT_INDEX } from "./0004-text-index.ts";
import { RECEIVED_CHANGES } from "./0005-received-changes.ts";
import { ANSWERS } from "./0006-answers.ts";
import { TOLD_TITLES } from "./0007-told-titles.ts";
import { PREPARED_EXPORTS } from "./0008-prepared-exports.ts";
import { OBJECTS } from "./0009-objects.ts";
import { SIGN_IN } from "./0010-sign-in.ts";
import { MACHINE_LAG } from "./0011-machine-lag.ts";
import { POLICIES_EVALUATED_ONCE } from "./0012-policies-evaluated-once.ts";
import { RETENTION } from "./0013-retention.ts";
import { SHARED_PROJECTS } from "./0014-shared-projects.ts";
import { LISTED_COLUMNS } from "./0015-listed-columns.ts";
import { PRESENT_SESSIONS } from "./0016-present-sessions.ts";
import { VISIBLE_OWNERS } from "./0017-visible-owners.ts";
import { SAID_BY_KEY } from "./0018-said-by-key.ts";
import { SEEN_WHEN_ASKED } from "./0019-seen-when-asked.ts";
import { AGENT_TITLES } from "./0020-agent-titles.ts";

/** All steps in order; together they make the tables that the queries name. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, worksWith: 1, sql: USER_STATE },
  { version: 2, worksWith: 1, sql: SESSION_FILES },
  { version: 3, worksWith: 1, sql: SESSIONS },
  { version: 4, worksWith: 1, sql: TEXT_INDEX },
  { version: 5, worksWith: 1, sql: RECEIVED_CHANGES },
  { version: 6, worksWith: 1, sql: ANSWERS },
  { version: 7, worksWith: 1, sql: TOLD_TITLES },
  { version: 8, worksWith: 1, sql: PREPARED_EXPORTS },
  { version: 9, worksWith: 1, sql: OBJECTS },
  { version: 10, worksWith: 1, sql: SIGN_IN },
  { version: 11, worksWith: 1, sql: MACHINE_LAG },
  { version: 12, worksWith: 1, sql: POLICIES_EVALUATED_ONCE },
  { version: 13, worksWith: 1, sql: RETENTION },
  { version: 14, worksWith: 1, sql: SHARED_PROJECTS },
  { version: 15, worksWith: 1, sql: LISTED_COLUMNS },
  { version: 16, worksWith: 1, sql: PRESENT_SESSIONS },
  { version: 17, worksWith: 1, sql: VISIBLE_OWNERS },
  { version: 18, worksWith: 1, sql: SAID_BY_KEY },
  { version: 19, worksWith: 1, sql: SEEN_WHEN_ASKED },
  { version: 20, worksWith: 1, sql: AGENT_TITLES },
];
