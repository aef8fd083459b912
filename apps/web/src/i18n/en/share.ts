export const share = {
  "share.title": "Share with a link",
  "share.text":
    "Creates a page of the session as it is now. Anyone with the link can read it, without a token, until the link expires or you revoke it.",
  "share.lifetime": "Expires after",
  "share.days": { one: "{count} day", other: "{count} days" },
  "share.make": "Create link",
  "share.once": "Copy the link now: it is not stored and not shown again. It works until {until}.",
  "share.copy": "Copy link",
  "share.done": "Done",
  "share.links": "Links",
  "share.none": "No links yet.",
  "share.made": "created {when}",
  "share.unopened": "never opened",
  "share.opened": { one: "opened once, {when}", other: "opened {count} times, last {when}" },
  "share.until": "expires {day}",
  "share.revoke": "Revoke",
  "share.revoke_named": "Revoke the link: {name}",
  "share.revoked": "Link revoked.",
  "share.revoke_failed": "Could not revoke the link.",
  "share.failed": "Could not list the links",
  "share.off": "Sharing is turned off",
  "share.off_text":
    "Turn it on in the server settings, or with sharing.enabled in session-manager.json, and restart the service. Or export the session with secrets replaced, and send the file.",
  "share.loopback": "Nobody else could open a link",
  "share.loopback_text":
    "The service listens on this machine only. Put a proxy in front of it and add its name to allowed_hosts and allowed_origins, or let the service listen on another address. Or export the session with secrets replaced, and send the file.",
} as const;
