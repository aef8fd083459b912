export const connection = {
  "connection.open": "Connected",
  "connection.over_http": "Connected over HTTP: WebSocket is blocked",
  "connection.connecting": "Connecting…",
  "connection.waiting": "Connection lost. Reconnecting…",
  "connection.refused": "The service refuses this page: {reason}",
  "connection.no_answer": "Session Manager is not responding. Check that it is running.",
  "connection.token_title": "API token required",
} as const;
