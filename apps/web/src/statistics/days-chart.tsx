import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { onThemeChange, readColor } from "../appearance/theme.ts";
import type { Bucket, Grain } from "./buckets.ts";
import { monthText, shortDayText } from "./day-text.ts";
import { amountAt, type Layer } from "./layers.ts";
import { shortAmountText } from "./measure.ts";
import { SessionsAnchor } from "./sessions-anchor.tsx";
import type { SessionsLink } from "./sessions-link.ts";
import type { Measure } from "./statistics-search.ts";

export interface DaysChartProps {
  buckets: readonly Bucket[];
  grain: Grain;
  measure: Measure;
  /** From the bottom up. */
  layers: readonly Layer[];
  bars: readonly { link: SessionsLink; text: string }[];
  /** Tells which bar is pointed at. */
  onPoint(index: number | null): void;
}

const HEIGHT = 224;

/** Bars on a canvas, under one link that always leads to the sessions of the bar that is pointed at. */
export function DaysChart({ buckets, grain, measure, layers, bars, onPoint }: DaysChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(buckets.length - 1);
  const [plotArea, setPlotArea] = useState<{ left: number; width: number; height: number } | null>(null);
  const shown = Math.min(current, buckets.length - 1);

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let chart: uPlot | null = null;
    const draw = () => {
      chart?.destroy();
      const options = optionsOf(element.clientWidth, { buckets, grain, measure, layers });
      chart = new uPlot(options, dataOf(buckets, layers), element);
      const { left, width, height } = chart.bbox;
      setPlotArea({
        left: left / devicePixelRatio,
        width: width / devicePixelRatio,
        height: height / devicePixelRatio,
      });
    };
    draw();
    const stopTheme = onThemeChange(draw);
    const resize = new ResizeObserver(() => {
      if (chart !== null && chart.width !== element.clientWidth) draw();
    });
    resize.observe(element);
    return () => {
      resize.disconnect();
      stopTheme();
      chart?.destroy();
    };
  }, [buckets, grain, measure, layers]);

  function point(index: number): void {
    const within = Math.max(0, Math.min(buckets.length - 1, index));
    setCurrent(within);
    onPoint(within);
  }

  function move(event: KeyboardEvent): void {
    const target = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: buckets.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    point(target);
  }

  const bar = bars[shown];
  const width = plotArea === null ? 0 : plotArea.width / buckets.length;
  return (
    <div className="group relative" style={{ height: HEIGHT }}>
      <div ref={place} aria-hidden className="h-full" />
      {plotArea !== null && bar !== undefined && (
        <>
          <span
            aria-hidden
            className="pointer-events-none absolute top-0 bg-hover opacity-0 group-focus-within:opacity-100 group-hover:opacity-100"
            style={{ left: plotArea.left + width * shown, width, height: plotArea.height + TOP }}
          />
          <SessionsAnchor
            link={bar.link}
            aria-label={bar.text}
            className="absolute top-0 rounded-sm"
            style={{ left: plotArea.left, width: plotArea.width, height: plotArea.height + TOP }}
            onPointerMove={({ nativeEvent }) => point(Math.floor(nativeEvent.offsetX / width))}
            onPointerLeave={() => onPoint(null)}
            onKeyDown={move}
            onFocus={() => onPoint(shown)}
            onBlur={() => onPoint(null)}
          />
        </>
      )}
    </div>
  );
}

/** Above the bars, so that the largest number of the axis is not cut. */
const TOP = 12;

function optionsOf(
  width: number,
  { buckets, grain, measure, layers }: Pick<DaysChartProps, "buckets" | "grain" | "measure" | "layers">,
): uPlot.Options {
  const [text, line] = [readColor("faint"), readColor("line")];
  const bars = uPlot.paths.bars?.({ size: [0.76, 36], radius: buckets.length > 60 ? 0 : 0.08 });
  const series = (fill: string): uPlot.Series => ({
    fill,
    width: 0,
    points: { show: false },
    ...(bars !== undefined && { paths: bars }),
  });
  const fills = layers.map(({ color }) => readColor(color)).reverse();
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  return {
    width,
    height: HEIGHT,
    padding: [TOP, 20, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: false, range: [-0.5, buckets.length - 0.5] },
      y: { range: (_chart, _min, max) => [0, max > 0 ? max * 1.02 : 1] },
    },
    series: [{}, ...fills.map(series)],
    axes: [
      {
        stroke: text,
        font,
        size: 28,
        gap: 6,
        grid: { show: false },
        ticks: { show: false },
        space: 64,
        incrs: [1, 2, 3, 4, 6, 7, 14, 26, 52, 120],
        values: (_chart, splits) => splits.map((split) => labelOf(buckets[split], grain)),
      },
      {
        stroke: text,
        font,
        size: 56,
        gap: 8,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        space: 40,
        values: (_chart, splits) => splits.map((split) => shortAmountText(split, measure)),
      },
    ],
    hooks: { draw: [(chart) => markUnknown(chart, layers, text)] },
  };
}

/** The largest sum comes first, and smaller ones are drawn over it. */
function dataOf(buckets: readonly Bucket[], layers: readonly Layer[]): uPlot.AlignedData {
  const sums = buckets.map(() => 0);
  const heights = layers.map(({ amounts }) =>
    amounts.map((amount, place) => {
      sums[place] = (sums[place] ?? 0) + (amount ?? 0);
      return sums[place] ?? 0;
    }),
  );
  return [buckets.map((_, place) => place), ...heights.reverse()];
}

/** A question mark replaces the bar of an unknown cost, which is not zero. */
function markUnknown(chart: uPlot, layers: readonly Layer[], color: string): void {
  const { ctx } = chart;
  ctx.save();
  ctx.fillStyle = color;
  ctx.font = `${11 * devicePixelRatio}px sans-serif`;
  ctx.textAlign = "center";
  for (const place of layers[0]?.amounts.keys() ?? []) {
    if (amountAt(layers, place) !== null) continue;
    ctx.fillText("?", chart.valToPos(place, "x", true), chart.valToPos(0, "y", true) - 4 * devicePixelRatio);
  }
  ctx.restore();
}

function labelOf(bucket: Bucket | undefined, grain: Grain): string {
  if (bucket === undefined) return "";
  if (grain !== "month") return shortDayText(bucket.first);
  return bucket.first.slice(5, 7) === "01" ? bucket.first.slice(0, 4) : monthText(bucket.first);
}
