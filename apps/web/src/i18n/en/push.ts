export const push = {
  "push.title": "While the page is closed",
  "push.switch": "Notify this device when agents ask, fail or finish",
  "push.hint":
    "Messages go through the push service of your browser, encrypted so that only this device can read them. They contain the session's name and the agent's question.",
  "push.insecure": "Browsers allow this only over HTTPS, or on the machine that runs the service.",
  "push.unsupported": "This browser does not support it. On an iPhone or iPad, add the page to the Home Screen first.",
  "push.denied":
    "The browser blocks notifications from this page. Allow them in the browser's site settings, then reload the page.",
  "push.failed": "Could not turn on notifications.",
  "push.devices": "Devices that get notifications",
  "push.this_device": "This device",
  "push.since": "Since {when}",
  "push.remove": "Remove",
  "push.remove_named": "Remove {name}",
  "push.remove_failed": "Could not remove the device.",
  "push.removed": "{name} no longer gets notifications",
  "push.unknown_browser": "Browser",
  "push.browser_on": "{browser} on {system}",
} as const;
