const MAX_NAME_LENGTH = 64;
const MAX_DESCRIPTION_LENGTH = 1024;

/**
 * The problems that the agent would report for a skill (0.74.2, `core/skills`, from the Agent Skills specification).
 */
export function skillProblems(name: string, description: string): string[] {
  const problems: string[] = [];
  if (name.length > MAX_NAME_LENGTH) problems.push(`The name is longer than ${MAX_NAME_LENGTH} characters.`);
  if (!/^[a-z0-9-]+$/.test(name)) problems.push("The name may contain a-z, 0-9 and hyphens only.");
  if (name.startsWith("-") || name.endsWith("-")) problems.push("The name must not begin or end with a hyphen.");
  if (name.includes("--")) problems.push("The name must not contain two consecutive hyphens.");
  if (description === "") problems.push("The description is missing, so the agent does not load it.");
  if (description.length > MAX_DESCRIPTION_LENGTH) {
    problems.push(`The description is longer than ${MAX_DESCRIPTION_LENGTH} characters.`);
  }
  return problems;
}
