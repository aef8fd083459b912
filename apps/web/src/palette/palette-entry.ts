import type { LucideIcon } from "lucide-react";
import type { PaletteItem } from "./palette-items.ts";

/** Something that the palette shows, and what choosing it does. */
export interface PaletteEntry extends PaletteItem {
  icon: LucideIcon;
  /** Colour of a tag. */
  color?: string;
  /** When a session was written to last. */
  time?: string;
  /** Keys that do the same. */
  keys?: string;
  run(): void;
}
