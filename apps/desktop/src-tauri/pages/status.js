const element = (id) => document.getElementById(id);

/**
 * Called by the shell.
 *
 * @param {{ kind: "starting" | "restarting" | "failed", log: string }} status
 */
globalThis.showStatus = ({ kind, log }, texts) => {
  document.documentElement.lang = texts.language;
  element("title").textContent = texts[kind];
  element("detail").textContent = texts[`${kind}Detail`] ?? "";
  element("try-again").textContent = texts.tryAgain;
  element("try-again").hidden = kind !== "failed";
  element("log-title").textContent = texts.log;
  element("log-text").value = log;
  element("log").hidden = log === "";
};

element("try-again").addEventListener("click", () => globalThis.__TAURI_INTERNALS__.invoke("try_again"));
