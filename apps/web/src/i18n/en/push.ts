export const push = {
  "push.title": "When the page is closed",
  "push.switch": "Notify this device when agents ask, fail or finish",
  "push.hint":
    "Messages pass through the push service of your browser, encrypted: only this device can read them. They have the name of the session and the agent's question.",
  "push.insecure": "Needs HTTPS, or the page opened on the machine of the service: browsers allow it nowhere else.",
  "push.unsupported": "This browser cannot do that. On an iPhone or iPad, add the page to the Home Screen first.",
  "push.denied": "Notifications are blocked for this page in the settings of the browser.",
  "push.failed": "Notifications could not be turned on.",
  "push.devices": "Devices that are notified",
  "push.this_device": "This device",
  "push.since": "Since {when}",
  "push.remove": "Remove",
  "push.remove_named": "Remove {name}",
  "push.remove_failed": "The device could not be removed.",
  "push.removed": "{name} is notified no more",
  "push.unknown_browser": "Browser",
  "push.browser_on": "{browser} on {system}",
} as const;
