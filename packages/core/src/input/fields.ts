import * as v from "valibot";
import { SESSION_FORMATS } from "../session/record.ts";
import { parseTimestamp } from "../session/timestamp.ts";
import { isTimeZone } from "../stats/time-zone.ts";

/** Linux's PATH_MAX; other systems have lower limits in practice. */
export const MAX_PATH_LENGTH = 4_096;

/** Schema of a text with 1 to `limit` characters. */
export function text(limit: number) {
  return v.pipe(v.string(), v.nonEmpty("Must not be empty."), v.maxLength(limit, `At most ${limit} characters.`));
}

/** Schema of a whole number in an inclusive range. */
export function wholeNumber(least: number, most: number) {
  const message = `Must be a whole number from ${least} to ${most}.`;
  return v.pipe(v.number(), v.integer(message), v.minValue(least, message), v.maxValue(most, message));
}

/** Schema of an optional field, which may be `null`. */
export function optional<Schema extends v.GenericSchema>(schema: Schema) {
  return v.pipe(
    v.nullish(schema),
    v.transform((value) => value ?? undefined),
  );
}

/** Path of a file or directory. Depending on the system call, a NUL would truncate the path or be rejected. */
export const path = v.pipe(
  text(MAX_PATH_LENGTH),
  v.excludes("\0", "Must not contain NUL."),
  v.description("Absolute path."),
);

/** Id of a session, an entry or a tag. */
export const identifier = text(256);

/** Opaque position in a list. May contain a path, in base64. */
export const cursor = v.pipe(text(2 * MAX_PATH_LENGTH), v.description("The next_cursor of the previous page."));

/** One line. */
export const sessionName = v.pipe(
  v.string(),
  v.transform((name) => name.replace(/\s*[\r\n]\s*/g, " ").trim()),
  v.maxLength(200, "At most 200 characters."),
);

/** Name of a token or a device. Shown in one line of a terminal, where other control characters would take effect. */
export const oneLineName = v.pipe(
  v.string(),
  v.trim(),
  text(100),
  v.regex(/^[^\p{Cc}\u2028\u2029]*$/u, "Must be one line without control characters."),
);

/** Number of an event, an output or a record. */
export const sequenceNumber = wholeNumber(0, Number.MAX_SAFE_INTEGER);

export const afterSeq = v.pipe(sequenceNumber, v.description("Returns only what follows this sequence number."));

export const tagIds = v.pipe(v.array(identifier), v.maxLength(100, "At most 100 tags."));

const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const TIME_MESSAGE = 'Must be an RFC 3339 date or date-time, such as "2026-01-31" or "2026-01-31T10:00:00Z".';

/** A point in time, converted to RFC 3339 in UTC with milliseconds. A date stands for its first moment in UTC. */
export const time = v.pipe(
  v.string(),
  v.maxLength(64, TIME_MESSAGE),
  v.description("RFC 3339 date-time; of a date alone, its first moment in UTC."),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const moment = readTime(dataset.value.toUpperCase());
    if (moment !== null) return new Date(moment).toISOString();
    addIssue({ message: TIME_MESSAGE });
    return NEVER;
  }),
);

function readTime(value: string): number | null {
  if (!DATE.test(value) && !DATE_TIME.test(value)) return null;
  // `Date.parse` accepts 30 February as 1 March.
  const day = value.slice(0, 10);
  const start = parseTimestamp(day);
  if (start === null || new Date(start).toISOString().slice(0, 10) !== day) return null;
  return parseTimestamp(value);
}

export const sessionFormat = v.picklist(SESSION_FORMATS);

export const timeZone = v.pipe(
  text(100),
  v.check(isTimeZone, 'Must be the name of a time zone, such as "UTC" or "Europe/Berlin".'),
  v.description("IANA time zone for days, hours and weeks; default: the service's."),
);

const TAG_NAME = "Must be a name of 1 to 100 characters.";

export const tagName = v.pipe(
  v.string(),
  v.transform((name) =>
    name
      .normalize("NFC")
      .replace(/\s*[\r\n]\s*/g, " ")
      .trim(),
  ),
  v.minLength(1, TAG_NAME),
  v.maxLength(100, TAG_NAME),
);

export const tagColor = v.pipe(
  v.string(),
  v.regex(/^#[\da-fA-F]{6}$/, 'Must be a color such as "#3366cc".'),
  v.transform((color) => color.toLowerCase()),
);
