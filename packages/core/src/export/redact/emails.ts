import { type Detector, eachMatch } from "./finding.ts";

/**
 * Matches an address from its `@` (also `%40`) in both directions. Labels are limited as in DNS (RFC 1035 section
 * 2.3.4).
 */
const EMAIL =
  /(?:@|%40)(?<=([\p{L}\p{N}_][\p{L}\p{N}._+-]{0,63}|[\p{L}\p{N}_])(?:@|%40))((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(\p{L}{2,24}))(?![\p{L}\p{N}_])/gu;

/** Not persons: accounts of version control systems, and unread mailboxes. */
const NOBODY = /^(?:git|hg|svn|no-?reply|do-?not-?reply)$/i;
/** Labels of Kotlin: `return@label.method` and `this@Activity.finish`. */
const LABEL = /^(?:this|super|return|break|continue)$/;
/** `package@1.2.3-beta.rc`, `icon@2x.png`, `user@1000.service`. */
const NUMBER = /^\d+(?:x\.|\.\d|\.service$)/;
/** File extensions and systemd unit types; none is a top-level domain. */
const EXTENSION =
  /^(?:png|jpe?g|gif|webp|svg|avif|ico|css|scss|less|[cm]?[jt]sx?|json[5cl]?|html?|xml|ya?ml|toml|lock|log|txt|map|vue|tgz|tar|gz|whl|jar|war|java|kt|rb|php|cpp|hpp|service|socket|timer|target|mount|slice|scope|path)$/i;
/** Userinfo and host of a URL: urls.ts. */
const AUTHORITY = /:\/\/[^\s/@"'<>]{0,256}:?$/;

/** Finds e-mail addresses. */
export const findEmails: Detector = (text, report) => {
  eachMatch(EMAIL, text, (match) => {
    const [whole, local = "", domain = "", top = ""] = match;
    if (NOBODY.test(local) || LABEL.test(local) || NUMBER.test(domain) || EXTENSION.test(top)) return;
    const start = match.index - local.length;
    if (AUTHORITY.test(text.slice(Math.max(0, start - 260), start))) return;
    report(start, match.index + whole.length, "email");
  });
};
