export const connection = {
  "connection.open": "Connected",
  "connection.over_http": "Connected over HTTP: WebSocket is blocked",
  "connection.connecting": "Connecting…",
  "connection.waiting": "Connection lost. Reconnecting…",
  "connection.refused": "The service refuses this page: {reason}",
  "connection.no_answer": "Session Manager is not responding. Is it running?",
  "connection.token_title": "Access token required",
  "connection.token_text":
    "Access from another machine or account needs a token, and some servers require one from everyone. Create it on the server under its account: in Settings, API Keys, or with session-cli token create NAME.",
  "connection.token": "Token",
  "connection.token_wrong": "The service rejected this token.",
  "connection.token_remember": "Remember it in this browser",
  "connection.token_remember_hint": "Otherwise it is forgotten when you close this tab.",
  "connection.token_use": "Continue",
} as const;
