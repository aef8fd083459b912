import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// Screens are loaded when they are opened, which takes a busy machine some time.
configure({ asyncUtilTimeout: 10_000 });

// What the page needs of a browser, in a window without layout: everything is as large as a window.
Object.defineProperties(HTMLElement.prototype, {
  clientWidth: { get: () => innerWidth },
  clientHeight: { get: () => innerHeight },
});
Element.prototype.scrollIntoView = () => {};
Element.prototype.hasPointerCapture ??= () => false;
Element.prototype.setPointerCapture ??= () => {};
Element.prototype.releasePointerCapture ??= () => {};

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  // Preferences reload their values.
  globalThis.dispatchEvent(new StorageEvent("storage", { key: null }));
});
