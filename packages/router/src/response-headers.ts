/**
 * Names the headers of every answer over HTTP, whatever it is: which version answers, and that no browser may guess
 * another type, keep it, show it as a part of a page from elsewhere, or let such a page have a hold on its window.
 */
export function responseHeaders(version: string) {
  return {
    "X-Session-Manager-Version": version,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    // https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header; pages of an allowed origin ask with CORS.
    "Cross-Origin-Resource-Policy": "same-origin",
    // https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies
    "Cross-Origin-Opener-Policy": "same-origin",
  } as const;
}
