/**
 * Keys are written as `mod+k` (Cmd on a Mac, Ctrl elsewhere), `shift+?`… with the modifiers first, in the order
 * mod, alt, shift, and a space between those that are pressed one after the other: `g l`. A character that needs shift
 * is written as what it types: `?`.
 */
export type Keys = string;

const NAMED_CAPS: Readonly<Record<string, string>> = {
  enter: "↵",
  escape: "Esc",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  backspace: "⌫",
  delete: "Del",
  space: "Space",
  home: "Home",
  end: "End",
  pageup: "PgUp",
  pagedown: "PgDn",
};

const MAC_CAPS: Readonly<Record<string, string>> = { mod: "⌘", alt: "⌥", shift: "⇧" };
const OTHER_CAPS: Readonly<Record<string, string>> = { mod: "Ctrl", alt: "Alt", shift: "Shift" };

export const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");

/** Names the caps to show for keys. */
export function keyCaps(keys: Keys, mac = isMac): string[] {
  const modifiers = mac ? MAC_CAPS : OTHER_CAPS;
  return keys
    .split(" ")
    .flatMap((stroke) => stroke.split(/\+(?=.)/))
    .map((key) => modifiers[key] ?? NAMED_CAPS[key] ?? key.toUpperCase());
}

/** What of a keyboard event tells its keys. */
export type Stroke = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Writes a key that was pressed as it is written in a shortcut. */
export function strokeOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Stroke, mac = isMac): string {
  const name = key === " " ? "space" : key.toLowerCase();
  const mod = mac ? metaKey : ctrlKey;
  const other = mac ? ctrlKey : metaKey;
  // Shift is part of what a character is, but not of what a letter or a named key is.
  const tellsShift = shiftKey && (name.length > 1 || /\p{L}/u.test(name));
  return [mod && "mod", other && "other", altKey && "alt", tellsShift && "shift", name].filter(Boolean).join("+");
}
