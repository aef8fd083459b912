/** Milliseconds for which a button confirms copying. */
const THANKS = 1500;

/** Adds a copy button to every code block of a part. */
export function addCopyButtons(part: Element): void {
  for (const code of part.querySelectorAll(".code:not(:has(> .copy))")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.dataset.action = "copy";
    button.textContent = "Copy";
    code.append(button);
  }
}

export function copyFrom(button: HTMLElement): void {
  const code = button.parentElement?.querySelector("pre");
  if (!code) return;
  const done = (isCopied: boolean) => {
    button.textContent = isCopied ? "Copied" : "Not copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, THANKS);
  };
  navigator.clipboard.writeText(code.textContent).then(
    () => done(true),
    () => done(false),
  );
}
