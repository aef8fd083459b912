import type { ChromiumPage } from "../measure/chromium.ts";

// What is done to a page before a picture is taken of it.

export const CONTROL = 2;
export const SHIFT = 8;

async function press(page: ChromiumPage, key: string, modifiers: number): Promise<void> {
  const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key;
  const text = modifiers & CONTROL ? {} : { text: key };
  await page.send("Input.dispatchKeyEvent", { type: "keyDown", key, code, modifiers, ...text });
  await page.send("Input.dispatchKeyEvent", { type: "keyUp", key, code, modifiers });
}

/** Presses keys when the screen is there, until what they open is there. */
export function pressed(
  key: string,
  modifiers: number,
  selector = "[role=dialog]",
): (page: ChromiumPage) => Promise<void> {
  return async (page) => {
    await press(page, key, modifiers);
    await page.until(`document.querySelector(${JSON.stringify(selector)}) !== null`);
  };
}

/** Unfolds the subagents of a session in the list, where there is one beside. */
export async function unfolded(page: ChromiumPage): Promise<void> {
  await page.until(
    `(() => {
      const button = document.querySelector("[role=row] button[aria-expanded=false]");
      button?.click();
      return button !== null || document.querySelector("[role=grid]")?.checkVisibility() !== true;
    })()`,
  );
}

/** Opens the dialog for links by the menu of the session. */
export async function sharing(page: ChromiumPage): Promise<void> {
  await page.until(
    `(() => {
      const button = document.querySelector("main button[aria-label='More actions for this session']");
      button?.dispatchEvent(new PointerEvent("pointerdown", { button: 0, bubbles: true }));
      return button !== null;
    })()`,
  );
  await page.until(
    `(() => {
      const item = [...document.querySelectorAll("[role=menuitem]")].find((one) => one.textContent === "Share…");
      item?.click();
      return item !== undefined;
    })()`,
  );
  await page.until(`document.querySelector("[role=dialog] [role=combobox]") !== null`);
}

/** Waits for an element, and clicks it. */
export async function clicked(page: ChromiumPage, selector: string): Promise<void> {
  await page.until(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    element?.click();
    return element !== null;
  })()`);
}

/** Waits for an element with a text, or a name, and clicks it. */
export async function textClicked(page: ChromiumPage, selector: string, text: string): Promise<void> {
  await page.until(`(() => {
    const isMeant = (one) => one.checkVisibility() && (one.textContent.trim() === ${JSON.stringify(text)} || one.ariaLabel === ${JSON.stringify(text)});
    const element = [...document.querySelectorAll(${JSON.stringify(selector)})].find(isMeant);
    element?.click();
    return element !== undefined;
  })()`);
}

/** Types a text into a field, as a hand does. */
export async function typed(page: ChromiumPage, selector: string, text: string): Promise<void> {
  await page.until(
    `(document.querySelector(${JSON.stringify(selector)})?.focus(), document.activeElement?.matches(${JSON.stringify(selector)}))`,
  );
  for (const letter of text) await page.send("Input.insertText", { text: letter });
}

/** Goes to the beginning of a session, where calls that only look are one line. */
export async function folded(page: ChromiumPage): Promise<void> {
  await page.until(`(() => {
    const scroller = document.querySelector(".transcript-scroller");
    scroller?.scrollTo(0, 0);
    return scroller?.scrollTop === 0 && document.querySelectorAll(".entry").length > 3;
  })()`);
}
