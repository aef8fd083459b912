import type { MemorySample } from "./memory-record.ts";

const WIDTH = 720;
const HEIGHT = 240;
const MARGIN = { left: 56, right: 16, top: 32, bottom: 32 };
const STEP_MB = 100;
const MEGABYTE = 1e6;

/** Draws memory over time as an SVG that is readable on light and dark grounds. */
export function memoryPlot(title: string, samples: readonly MemorySample[]): string {
  const end = samples.at(-1)?.seconds ?? 1;
  const highest = Math.max(...samples.map(({ bytes }) => bytes)) / MEGABYTE;
  const top = Math.ceil(highest / STEP_MB) * STEP_MB;
  const x = (seconds: number) => MARGIN.left + (seconds / end) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (megabytes: number) => HEIGHT - MARGIN.bottom - (megabytes / top) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const points = samples.map(({ seconds, bytes }) => `${x(seconds).toFixed(1)},${y(bytes / MEGABYTE).toFixed(1)}`);
  const lines = Array.from({ length: top / STEP_MB + 1 }, (_, index) => index * STEP_MB);
  const minutes = Array.from({ length: Math.floor(end / 60) + 1 }, (_, index) => index);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#777">`,
    `<title>Memory, ${title}</title>`,
    `<text x="${MARGIN.left}" y="18">Memory (PSS, MB), ${title}</text>`,
    ...lines.map(
      (megabytes) =>
        `<path d="M${MARGIN.left} ${y(megabytes)}H${WIDTH - MARGIN.right}" stroke="#7774"/><text x="${MARGIN.left - 8}" y="${y(megabytes) + 4}" text-anchor="end">${megabytes}</text>`,
    ),
    ...minutes.map(
      (minute) => `<text x="${x(minute * 60)}" y="${HEIGHT - 10}" text-anchor="middle">${minute} min</text>`,
    ),
    `<polyline points="${points.join(" ")}" fill="none" stroke="#3a7bd5" stroke-width="1.5"/>`,
    "</svg>\n",
  ].join("\n");
}
