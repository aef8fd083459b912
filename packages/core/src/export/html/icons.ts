/** Outlines on a grid of 16, with a stroke of 1.5. */
const PATHS = {
  contents: "M2.5 4h11M2.5 8h11M2.5 12h7",
  find: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.3 10.3l3.4 3.4",
  thinking: "M8 2a4 4 0 0 0-2.5 7.1c.6.5.9 1.1 1 1.9h3c.1-.8.4-1.4 1-1.9A4 4 0 0 0 8 2M6.5 13.5h3",
  tools: "M2.5 4.5 6 8l-3.5 3.5M8 12h5.5",
  theme: "M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6",
  help: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M6.3 6.2a1.8 1.8 0 1 1 2.5 1.7c-.6.2-.8.6-.8 1.2M8 11.2v.1",
  up: "M3.5 10 8 5.5l4.5 4.5",
  down: "M3.5 6 8 10.5 12.5 6",
  close: "M4 4l8 8M12 4l-8 8",
} as const;

export type IconName = keyof typeof PATHS;

/** Renders an icon in the text color; its meaning must also be given as text. */
export function icon(name: IconName): string {
  return `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
}
