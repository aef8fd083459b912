import { createHash } from "node:crypto";

/** Where the page of the service looks for its token (`apps/web/src/client/token.ts`). */
const TOKEN_KEY = "session-manager.token";

/**
 * Stores the token and replaces this page, so that the way back does not lead here. A token of the tab would come before
 * the one in `localStorage`, which all tabs have.
 */
const SCRIPT = `
const { token, return_to } = JSON.parse(document.getElementById("signed-in").textContent);
try {
  localStorage.setItem("${TOKEN_KEY}", token);
  sessionStorage.removeItem("${TOKEN_KEY}");
  location.replace(return_to);
} catch {
  document.querySelector("p").textContent = "This browser stores nothing for this site. Allow it to, and sign in again.";
}
`;

const SCRIPT_HASH = createHash("sha256").update(SCRIPT).digest("base64");

/** Allows only the page's own script: no other sources, no embedding. */
export const SIGNED_IN_POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${SCRIPT_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page that gives a browser its token. `returnTo` is a path of this service. */
export function signedInPage({ token, returnTo }: { token: string; returnTo: string }): string {
  // As data, not as code; "<" could end the element.
  const data = JSON.stringify({ token, return_to: returnTo }).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Signed in</title>
<p>You are signed in.</p>
<noscript>The page of Session Manager needs JavaScript.</noscript>
<script type="application/json" id="signed-in">${data}</script>
<script>${SCRIPT}</script>
</html>
`;
}
