import { type Detector, eachMatch } from "./finding.ts";
import { isStandIn } from "./likeness.ts";

/** White space, also as it is written in a string. */
const GAP = "(?:\\s|\\\\{1,15}[nrt]){1,24}";
const QUOTED = "\\\\{0,15}['\"]([^'\"\\\\\\r\\n]{3,256})(?=\\\\{0,15}['\"])";
const UNQUOTED = "([^\\s\"'`\\\\]{3,256})";
const LINE_END = "(?:\\r?\\n|\\\\{1,15}n)";
const LINE_START = "(?<=^|\\n|\\\\n)[ \\t]{0,16}";

/** The last group is the secret, and ends the match. */
interface Announced {
  type?: string;
  pattern: RegExp;
  accepts?: (match: RegExpExecArray) => boolean;
}

/** File extensions that look like a top-level domain; a line with such a name and a position is not from .pgpass. */
const FILE =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|c|h|cc|cpp|hpp|java|kt|php|cs|md|txt|ya?ml|json|toml|ini|conf|cfg|log|sh|sql|html?|css|scss|vue|xml|env)$/i;

/** Passwords recognized by their context in a file format, protocol or language. */
const announced: readonly Announced[] = [
  // .netrc, on one line and on several: https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html
  {
    pattern: new RegExp(
      `(?:machine(?<=(?:(?<![\\w-])|\\\\[nrt])machine)${GAP}([^\\s\\\\]{1,253})|default(?<=(?:^|[\\r\\n]|\\\\n)[ \\t]{0,16}default))(?:${GAP}(?:login|account)${GAP}[^\\s\\\\]{1,128}){0,2}${GAP}password${GAP}${UNQUOTED}`,
      "g",
    ),
    // "The machine learning password" is prose.
    accepts: ([whole, host]) => host === undefined || /[.:]|^localhost$/.test(host) || /[\r\n]|\\n/.test(whole),
  },
  // .pgpass: https://www.postgresql.org/docs/current/libpq-pgpass.html
  {
    pattern: new RegExp(
      `:(?:\\d{4,5}|\\*):(?<=${LINE_START}([\\w.-]{1,253}|\\*):(?:\\d{4,5}|\\*):)([\\w.*-]{1,64}):[\\w.@*-]{1,64}:((?:[^\\s"'\`\\\\:]|\\\\[:\\\\]){3,256})(?=\\s|\\\\{1,15}[nr]|["'\`]|$)`,
      "g",
    ),
    accepts: ([, host = "", database = ""]) => !FILE.test(host) && !/^\d+$/.test(database),
  },
  // SQL
  { pattern: new RegExp(`\\bidentified(?: with \\w{1,40})? by(?: password)?[ \\t]{1,16}${QUOTED}`, "gi") },
  {
    pattern: new RegExp(
      `\\b(?:with|encrypted|login|(?:user|role)[ \\t]{1,16}[\\w."\`-]{1,64})[ \\t]{1,16}password[ \\t]{1,16}${QUOTED}`,
      "gi",
    ),
  },
  { pattern: new RegExp(`\\bpassword[ \\t]{0,16}=?[ \\t]{0,16}\\(${QUOTED}(?=['"]\\))`, "gi") },
  // https://docs.oracle.com/en/database/oracle/oracle-database/23/jjdbc/data-sources-and-URLs.html
  { pattern: /\bjdbc:oracle:\w{2,6}:[^\s/@:"']{1,64}\/([^\s@"'\\]{3,128})(?=@)/g },
  // Protocols and settings of servers
  { pattern: new RegExp(`(?:requirepass|masterauth)(?<=${LINE_START}\\w{10,11})[ \\t]{1,16}["']?${UNQUOTED}`, "g") },
  // RFC 959 and RFC 1939, with the answer of the server between the lines
  {
    pattern: new RegExp(
      `\\bUSER[ \\t]{1,4}[^\\s\\\\]{1,64}(?:${LINE_END}[^\\r\\n\\\\]{0,100}){0,2}${LINE_END}[CS>: ]{0,4}PASS[ \\t]{1,4}${UNQUOTED}`,
      "g",
    ),
  },
  { pattern: /\bAUTH(?:ENTICATE)? (?:PLAIN|LOGIN|XOAUTH2) ([A-Za-z0-9+/]{8,}={0,2})/g },
  { pattern: new RegExp(`\\bPSK[ \\t]{1,16}${QUOTED}`, "g") },
  // https://github.com/google/google-authenticator/wiki/Key-Uri-Format
  { pattern: /\botpauth:\/\/[^\s"'<>]{1,256}[?&]secret=([A-Za-z2-7]{8,128})/g },
  // A shell
  {
    pattern:
      /\b(?:echo|printf)(?:[ \t]-\w{1,3})?[ \t]{1,16}(?:\\{0,15}["'])?[\w.-]{1,64}:([^\s"'\\:|]{3,128})(?=[^|\r\n]{0,8}\|[ \t]{0,16}(?:sudo[ \t]{1,16})?chpasswd)/g,
  },
  {
    pattern:
      /\b(?:echo|printf)(?:[ \t]-\w{1,3})?[ \t]{1,16}(?:\\{0,15}["'])?([^\s"'\\|]{3,128})(?=[^|\r\n]{0,8}\|[ \t]{0,16}(?:sudo[ \t]{1,16}(?:-\w{1,3}[ \t]{1,16}){0,3}-\w{0,3}S|(?:docker|podman)[^|\r\n]{0,128}--password-stdin))/g,
  },
  // BIP 39: 12 to 24 words
  {
    pattern:
      /\b(?:mnemonic|(?:seed|recovery|secret|backup)[ _-]?(?:phrase|words))["'`]?[ \t]{0,4}(?:is[ \t]|[:=])[ \t]{0,4}["'`]?([a-z]{3,8}(?:[ \t]{1,4}[a-z]{3,8}){11,23})(?![A-Za-z])/gi,
  },
];

/** Finds passwords in file formats, protocols and statements with specific keywords. */
export const findAnnounced: Detector = (text, report) => {
  for (const { type = "secret", pattern, accepts } of announced) {
    eachMatch(pattern, text, (match) => {
      const value = match.at(-1) ?? "";
      if (isStandIn(value) || accepts?.(match) === false) return;
      const end = match.index + match[0].length;
      report(end - value.length, end, type);
    });
  }
};
