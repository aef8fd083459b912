/** What of an output is looked at: an error stands at its end. */
const INSPECTED = 16 * 1024;
const LONGEST = 300;

const TELLING = /error|fail|fatal|exception|panic|denied|refused|cannot|can't|unable|invalid|not found|no such/i;
/** What agents add behind the output of a command. */
const ENDING = /^(?:command exited with code|exit code|\(no output\))/i;

/** The line of an output that says best why a call has failed; `null` without one. */
export function failureLine(output: string): string | null {
  const lines = output
    .slice(-INSPECTED)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const own = lines.filter((line) => !ENDING.test(line));
  const line = own.find((one) => TELLING.test(one)) ?? own.at(-1) ?? lines.at(-1);
  return line === undefined ? null : line.slice(0, LONGEST);
}
