import type { KeyboardEvent } from "react";

const STEPS: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Moves the focus among the marks of a chart with the arrows: of all of them one alone is reached by Tab. A mark says
 * where it is with `data-column` and `data-row`.
 */
export function moveAmongMarks(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const marks = [...event.currentTarget.querySelectorAll<HTMLElement>("a[data-column]")];
  const target = event.key === "Home" ? marks[0] : event.key === "End" ? marks.at(-1) : undefined;
  if (target !== undefined) {
    event.preventDefault();
    target.focus();
  }
  if (step === undefined || !(event.target instanceof HTMLElement)) return;
  event.preventDefault();
  nearestMark(marks, placeOf(event.target), step)?.focus();
}

/** The next mark in a direction: one in the same row or column before one beside it. */
function nearestMark(
  marks: readonly HTMLElement[],
  from: readonly [number, number],
  [columns, rows]: readonly [number, number],
): HTMLElement | undefined {
  let nearest: { mark: HTMLElement; distance: number } | undefined;
  for (const mark of marks) {
    const [column, row] = placeOf(mark);
    const ahead = (column - from[0]) * columns + (row - from[1]) * rows;
    if (ahead <= 0) continue;
    const aside = Math.abs((column - from[0]) * rows + (row - from[1]) * columns);
    const distance = ahead + aside * 10;
    if (nearest === undefined || distance < nearest.distance) nearest = { mark, distance };
  }
  return nearest?.mark;
}

function placeOf({ dataset }: HTMLElement): readonly [number, number] {
  return [Number(dataset.column), Number(dataset.row)];
}
