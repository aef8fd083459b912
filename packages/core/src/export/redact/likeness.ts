/** Shannon entropy in bits per letter: at most 4 for hex, 6 for base64; English words have about 3. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Placeholders of templates, shells, programs and documentation. */
const VARIABLE = /^<|^[$%][A-Za-z_]+%?$|^\$\(|\$\{|\{\{|^\{.*\}$|<[^<>]*>|\.\.\.|…|^(.)\1+$|x{4}|\*{3}|•{3}/i;
/** Environment variable such as `$PASSWORD_2`. */
const ENVIRONMENT_VARIABLE = /^\$[A-Z_][A-Z0-9_]*$/;

/** Whether a value is a placeholder: `<your key>`, `${TOKEN}`, `xxxx`, `…`. */
export function isVariable(value: string): boolean {
  return VARIABLE.test(value) || ENVIRONMENT_VARIABLE.test(value) || value.includes("[redacted:");
}

/** Words in place of a secret. */
const WORD =
  /^(?:(?:my|the|some|an?|any|new|test|dummy|fake|sample|example|insert|enter|replace|change)[-_][-_a-z]*|change-?me|(?:password|passwd|pwd|secret|token|api[-_]?key)s?|none|null|undefined|true|false|required|optional|string|redacted|hidden|default|postgres)$/i;
/** YAML tags that reference a value: `!vault |`, `!Ref Name`. */
const TAG = /^!(?:vault|secret|ref|sub|env|getatt|include|encrypted|join)\b/i;
const YOURS = /\byour(?:[-_ ]|[A-Z]|\b)|^your/i;
/** Encodings and hash functions: `base64-encoded`, `SHA256`. */
const ALGORITHM = /^(?:base|sha|md|utf|argon|pbkdf|hs|rs|es|aes|rot|ed|x|p)-?\d+(?![A-Za-z\d])/i;

/** Whether a value is a stand-in used in documentation. */
export function isStandIn(value: string): boolean {
  return isVariable(value) || WORD.test(value) || TAG.test(value) || YOURS.test(value);
}

/** `req.body.password`, `config?.token`. */
const MEMBER = /^[A-Za-z_$][\w$]*[?!]?(?:\??\.[A-Za-z_$][\w$]*[?!]?)+$/;
/** `nextToken`, `TOKEN_2`. */
const IDENTIFIER = /^[A-Za-z_$]+\d{0,2}$/;
const PATH = /^(?:~|\.{0,2}|[A-Za-z]:)[/\\].*[/\\]/;
const VERSION_OR_DATE = /^v?\d+\.\d+\.|^\d{4}-\d\d-\d\d/;
const LETTER = /\p{L}/u;
const DIGIT = /\d/;

/** How a value is related to the name that marks it as secret. */
export interface Naming {
  /** Chosen by a person; other secrets are generated. */
  isPassword: boolean;
  /** Quoted, or a JSON value: not an expression. */
  isQuoted: boolean;
  /** After a verb, where most values are words about the secret. */
  isSentence: boolean;
  /** In a position without variables, types and messages, so it may consist of letters only. */
  allowsWords: boolean;
}

const MIN_PASSWORD_LENGTH = 6;
const MIN_TOKEN_LENGTH = 8;
/** Minimum length of a token in a sentence. */
const MIN_TOLD_LENGTH = 16;
/** Bits per letter: numbers with units and repetitions have less, eight random letters about 3. */
const MIN_ENTROPY = 2.5;

/** Whether a value named as secret looks like one, and not like a variable, type, message or path. */
export function looksSecret(written: string, naming: Naming): boolean {
  // Final punctuation belongs to the sentence or code.
  const value = naming.isQuoted ? written : written.replace(/[.,:;]$/, "");
  const { isPassword, isQuoted, isSentence, allowsWords } = naming;
  if (value.length < (isPassword ? MIN_PASSWORD_LENGTH : isSentence ? MIN_TOLD_LENGTH : MIN_TOKEN_LENGTH)) return false;
  if (isStandIn(value) || value.includes("://") || PATH.test(value) || ALGORITHM.test(value)) return false;
  if (/\s/.test(value)) return isPassword && isQuoted && isPassphrase(value);
  if (!isQuoted && MEMBER.test(value)) return false;
  const hasLetter = LETTER.test(value);
  const hasDigit = DIGIT.test(value);
  if (isPassword) {
    if (hasDigit) return hasLetter || !isSentence;
    if (!hasLetter) return false;
    if (SYMBOL.test(value) && !isSentence) return true;
    return allowsWords && (isQuoted ? isWordsOnly(value) : true) && !isAboutPasswords(value);
  }
  if (allowsWords && !isQuoted && hasLetter && !hasDigit) return !value.includes(".");
  if (!hasLetter || !hasDigit || IDENTIFIER.test(value) || VERSION_OR_DATE.test(value)) return false;
  return entropyOf(value) >= MIN_ENTROPY;
}

const SYMBOL = /[!@#^&+=?~*:;]/;
/** `hunterhunter`, `Swordfish`, `correct-horse-battery`, but not identifiers such as `hashedValue`. */
const WORDS_ONLY = /^\p{L}\p{Ll}{5,63}$|^\p{Ll}{2,24}(?:[-.]\p{Ll}{2,24}){2,8}$|^\p{Lu}{8,64}$/u;

/** Whether a value consists of words without digits and symbols, as some passwords do. */
export function isWordsOnly(value: string): boolean {
  return WORDS_ONLY.test(value);
}

/** Words that stand for a password or describe one, in settings, types, messages and labels. */
const ABOUT_PASSWORDS = new Set(
  `string strings number integer boolean object varchar nvarchar charfield text textarea bytes unknown nullable method function
  hashed hidden masked redacted encrypted plain plaintext cleartext required optional missing invalid incorrect wrong
  empty unset expired accepted rejected changed disabled enabled protected provided generated stored removed omitted
  unchanged default forgotten forgot matched mismatch verified updated reset prompt stdin keychain keyring vault environment
  argument parameter option options field value values input output variable literal bcrypt scrypt username email login
  logout signin signup credential credentials token tokens example sample placeholder random anything something nothing whatever
  ignored unused autofill autocomplete authentication authorization settings setting config configuration process request
  response please should cannot because however without instead between before after again current confirm confirmation
  repeat minimum maximum length strength strong medium characters change create enter submit cancel manager policy
  type kind name label title description error failed failure success locked unlock private public internal external
  manual automatic inherit always never allowed denied forbidden deprecated supported unsupported available unavailable
  file files database server client user users admin postgres`.split(/\s+/),
);
/** Parts of words with the same meaning: labels in other languages, variable names. */
const NAMES_PASSWORD =
  /pass|pwd|secret|kennwort|wachtwoord|contrase|senha|parol|парол|salasana|lösenord|heslo|jelsz|hasł|şifre|密|口令|パス|비밀|クリ/i;

function isAboutPasswords(value: string): boolean {
  return (
    NAMES_PASSWORD.test(value) ||
    value
      .toLowerCase()
      .split(/[-_.]/)
      .some((word) => ABOUT_PASSWORDS.has(word))
  );
}

/** Words that are common in sentences and rare in passphrases, in the most common languages. */
const SENTENCE =
  /(?:^|\s)(?:is|are|was|be|has|have|must|should|can|cannot|can't|do|does|don't|not|no|to|of|for|and|or|the|an?|at|in|on|by|if|with|least|your|you|please|too|short|weak|use|used|show|hide|see|via|der|die|das|ist|und|oder|ein|le|la|les|un|une|est|et|el|los|es|y|o|de|du|da|do|para|por|не|и|или)(?:\s|[.,!?]|$)/i;

/** Whether several quoted words are a password and not a message or label. */
function isPassphrase(value: string): boolean {
  if (!LETTER.test(value) || /[\r\n]|[.!?…:。！？]$|%[sd@]|[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(value))
    return false;
  if (value.length > 128 || SENTENCE.test(value) || /^[-+*/=?&|<>]\s|\s[-+*/=?&|<>]+\s|[(){}]/.test(value))
    return false;
  const words = value.trim().split(/\s+/);
  if (words.some((word) => isAboutPasswords(word) || word.startsWith("-"))) return false;
  // Two words are as often a label.
  return words.length > 2 || DIGIT.test(value) || SYMBOL.test(value);
}
