/** Shannon entropy in bits a letter: 4 at most for hex, 6 for base64; English words have about 3. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Syntax that a template, a shell or a program replaces, and what documentation writes instead of a value. */
const VARIABLE = /^<|^[$%][A-Za-z_]+%?$|^\$\(|\$\{|\{\{|^\{.*\}$|<[^<>]*>|\.\.\.|…|^(.)\1+$|x{4}|\*{3}/i;

/** Whether a value stands for one that is put in later: `<your key>`, `${TOKEN}`, `xxxx`, `…`. */
export function isVariable(value: string): boolean {
  return VARIABLE.test(value) || value.includes("[redacted:");
}

/** Words in the place of a secret. */
const WORD =
  /^(?:(?:my|the|some|an?|any|new|test|dummy|fake|sample|example|insert|enter|replace|change)[-_][-_a-z]*|change-?me|(?:password|passwd|pwd|secret|token|api[-_]?key)s?|none|null|undefined|true|false|required|optional|string|redacted|hidden|default|postgres)$/i;
const YOURS = /\byour(?:[-_ ]|[A-Z]|\b)|^your/i;

/** `req.body.password`, `config?.token`. */
const MEMBER = /^[A-Za-z_$][\w$]*[?!]?(?:\??\.[A-Za-z_$][\w$]*[?!]?)+$/;
/** `nextToken`, `TOKEN_2`. */
const IDENTIFIER = /^[A-Za-z_$]+\d{0,2}$/;
const PATH = /^(?:~|\.{0,2}|[A-Za-z]:)[/\\].*[/\\]/;
const VERSION_OR_DATE = /^v?\d+\.\d+\.|^\d{4}-\d\d-\d\d/;
const LETTER = /\p{L}/u;
const DIGIT = /\d/;

/** How a value stands beside the name that says that it is a secret. */
interface Naming {
  /** People think passwords out; everything else is made by a machine. */
  isPassword: boolean;
  /** In quotes or a value of JSON: no expression of a program. */
  isQuoted: boolean;
  /** `NAME=value`, as environments are set. */
  isEnvironment: boolean;
}

const SHORTEST_PASSWORD = 6;
const SHORTEST_TOKEN = 8;
/** Bits a letter: numbers with a unit and repetitions have less, eight random letters about 3. */
const LEAST_ENTROPY = 2.5;

/** Whether a value that is called a secret looks like one, and not like a variable, a type, a message or a path. */
export function looksSecret(value: string, { isPassword, isQuoted, isEnvironment }: Naming): boolean {
  if (value.length < (isPassword ? SHORTEST_PASSWORD : SHORTEST_TOKEN)) return false;
  if (isVariable(value) || /\s/.test(value) || value.includes("://")) return false;
  if (WORD.test(value) || YOURS.test(value) || PATH.test(value)) return false;
  if (!isQuoted && MEMBER.test(value)) return false;
  const hasLetter = LETTER.test(value);
  const hasDigit = DIGIT.test(value);
  if (isPassword) {
    if (hasDigit) return true;
    return hasLetter && (isEnvironment || /[!@#^&+=?~*:;]/.test(value));
  }
  if (isEnvironment && hasLetter && !hasDigit) return !value.includes(".");
  if (!hasLetter || !hasDigit || IDENTIFIER.test(value) || VERSION_OR_DATE.test(value)) return false;
  return entropyOf(value) >= LEAST_ENTROPY;
}
