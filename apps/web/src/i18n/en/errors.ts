/** Errors of the service, by code. Its messages are in English, and say more than the code. */
export const errors = {
  "error.INVALID_REQUEST": "{message}",
  "error.INVALID_PAYLOAD": "{message}",
  "error.UNAUTHORIZED": "{message}",
  "error.FORBIDDEN": "{message}",
  "error.UNKNOWN_COMMAND": "{message}",
  "error.NOT_FOUND": "{message}",
  "error.CONFLICT": "{message}",
  "error.READ_ONLY": "{message}",
  "error.PAYLOAD_TOO_LARGE": "{message}",
  "error.UNSUPPORTED_MEDIA_TYPE": "{message}",
  "error.RATE_LIMITED": "{message}",
  "error.INTERNAL": "{message}",
  "error.UNAVAILABLE": "{message}",
  "error.TIMEOUT": "{message}",
} as const;
