const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;

/**
 * The problems that the agent would report for a skill (0.74.2, `core/skills`, from the Agent Skills specification).
 */
export function skillProblems(name: string, description: string): string[] {
  const problems: string[] = [];
  if (name.length > LONGEST_NAME) problems.push(`The name is longer than ${LONGEST_NAME} characters.`);
  if (!/^[a-z0-9-]+$/.test(name)) problems.push("The name may contain a-z, 0-9 and hyphens only.");
  if (name.startsWith("-") || name.endsWith("-")) problems.push("The name must not begin or end with a hyphen.");
  if (name.includes("--")) problems.push("The name must not contain two consecutive hyphens.");
  if (description === "") problems.push("The description is missing, so the agent does not load it.");
  if (description.length > LONGEST_DESCRIPTION) {
    problems.push(`The description is longer than ${LONGEST_DESCRIPTION} characters.`);
  }
  return problems;
}
