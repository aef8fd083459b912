export const connection = {
  "connection.open": "Connected",
  "connection.over_http": "Connected over HTTP, because WebSockets do not get through",
  "connection.connecting": "Connecting…",
  "connection.waiting": "The connection is gone. Connecting again…",
  "connection.refused": "The service refuses this page: {reason}",
  "connection.no_answer": "Session Manager does not answer. Is it running?",
  "connection.token_title": "This service asks for a token",
  "connection.token_text":
    "You are on another machine or account, or it asks everybody. Make a token where it runs, under its account: in the settings under API Keys, or with session-cli token create NAME.",
  "connection.token": "Token",
  "connection.token_wrong": "The service does not take this token.",
  "connection.token_remember": "Remember it in this browser",
  "connection.token_remember_hint": "Otherwise it is forgotten when this tab is closed.",
  "connection.token_use": "Continue",
} as const;
