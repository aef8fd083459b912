/**
 * Headers of all HTTP responses: the service's version, and that browsers must not guess types, cache, embed the
 * response in pages of other origins, or share a window group with them.
 */
export function responseHeaders(version: string) {
  return {
    "X-Session-Manager-Version": version,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    // https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header; pages of allowed origins use CORS.
    "Cross-Origin-Resource-Policy": "same-origin",
    // https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies
    "Cross-Origin-Opener-Policy": "same-origin",
  } as const;
}
