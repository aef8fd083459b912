import { addUsage, agentName, noUsage, SESSION_FORMATS } from "@sm/core";
import { t } from "../i18n/text.ts";
import { type Bucket, type Grain, spreadOver } from "./buckets.ts";
import { type ActivitySum, amountOf, amountText, type Statistics } from "./measure.ts";
import type { Measure, Stack } from "./statistics-search.ts";

/** What a chart of days is made of, from the bottom up. */
export interface Layer {
  /** In the address, where it is left out. */
  key: string;
  name: string;
  /** Explains a name that is short. */
  title?: string;
  /** A colour of tokens.css. */
  color: LayerColor;
  /** By bucket; `null` where it is not known. */
  amounts: readonly (number | null)[];
  /** By bucket; `null` where it is a part of a sum. */
  sums: readonly Bucket[] | null;
  /** The name that the service knows it by; `undefined` where it stands for several. */
  of?: string | null;
}

const SERIES = ["series-1", "series-2", "series-3", "series-4", "series-5", "series-6"] as const;

/** The colours of layers, as classes. */
export const LAYER_CLASSES = {
  "heat-1": "bg-heat-1",
  "heat-2": "bg-heat-2",
  "heat-3": "bg-heat-3",
  "heat-4": "bg-heat-4",
  "series-1": "bg-series-1",
  "series-2": "bg-series-2",
  "series-3": "bg-series-3",
  "series-4": "bg-series-4",
  "series-5": "bg-series-5",
  "series-6": "bg-series-6",
  "series-rest": "bg-series-rest",
} as const;

type LayerColor = keyof typeof LAYER_CLASSES;

/** All of it: of tokens, their kinds. */
export function layersOf(buckets: readonly Bucket[], measure: Measure): Layer[] {
  if (measure !== "tokens") {
    const amounts = buckets.map((bucket) => amountOf(bucket, measure));
    return [{ key: "all", name: t(`statistics.${measure}`), color: "heat-3", amounts, sums: buckets }];
  }
  const kind = (key: "cache_read" | "cache_write" | "input" | "output", color: LayerColor): Layer => ({
    key,
    name: t(`statistics.${key}`),
    color,
    amounts: buckets.map(({ usage }) => usage[`${key}_tokens`]),
    sums: null,
  });
  return [
    kind("cache_read", "heat-1"),
    kind("cache_write", "heat-2"),
    kind("input", "heat-3"),
    kind("output", "heat-4"),
  ];
}

interface LayersOptions {
  buckets: readonly Bucket[];
  grain: Grain;
  measure: Measure;
  /** What a project is called. */
  projectOf(cwd: string): string;
}

/** The projects, models or agents of which there is most, and the others as one. */
export function stackedLayers(
  stacks: NonNullable<Statistics["stacks"]>,
  stack: Stack,
  { buckets, grain, measure, projectOf }: LayersOptions,
): Layer[] {
  const found = stacks.map(({ name, is_rest, by_day }) => {
    const sums = spreadOver(by_day, buckets, grain);
    const total = sums.reduce((sum, bucket) => sum + (amountOf(bucket, measure) ?? 0), 0);
    return { name, is_rest, sums, total };
  });
  const named = found.filter(({ is_rest }) => !is_rest).sort((a, b) => b.total - a.total);
  const shown = named.slice(0, SERIES.length);
  const others = found.filter((one) => one.is_rest || !shown.includes(one as never));
  const layers = shown.map(({ name, sums }, place): Layer => {
    const { text, title } = nameOf(name, stack, projectOf);
    return {
      key: name === null ? "none" : `=${name}`,
      name: text,
      ...(title !== undefined && { title }),
      color: SERIES[place] ?? "series-rest",
      amounts: sums.map((bucket) => amountOf(bucket, measure)),
      sums,
      of: name,
    };
  });
  if (others.length === 0) return layers;
  const sums = buckets.map((bucket, place) =>
    sumOfBuckets(
      others.flatMap((one) => one.sums[place] ?? []),
      bucket,
    ),
  );
  const amounts = sums.map((bucket) => amountOf(bucket, measure));
  return [...layers, { key: "others", name: t("statistics.others"), color: "series-rest", amounts, sums }];
}

function nameOf(
  name: string | null,
  stack: Stack,
  projectOf: LayersOptions["projectOf"],
): { text: string; title?: string } {
  if (stack === "project")
    return name === null ? { text: t("rail.no_project") } : { text: projectOf(name), title: name };
  if (stack === "model") return { text: name ?? t("statistics.no_model") };
  return { text: agentName(SESSION_FORMATS.find((format) => format === name) ?? "pi") };
}

/** Sums of layers in one bucket, which they share. */
function sumOfBuckets(some: readonly Bucket[], { first, last }: Pick<Bucket, "first" | "last">): Bucket {
  const sum: Bucket = { first, last, messages: 0, usage: noUsage(), unknown: 0 };
  for (const { messages, usage, unknown } of some) {
    sum.messages += messages;
    addUsage(sum.usage, usage);
    sum.unknown += unknown;
  }
  return sum;
}

/** What layers come to in a bucket; `null` where none of them is known. */
export function amountAt(layers: readonly Layer[], place: number): number | null {
  const known = layers.flatMap(({ amounts }) => amounts[place] ?? []);
  return known.length === 0 && layers.length > 0 ? null : known.reduce((sum, amount) => sum + amount, 0);
}

/** Writes what layers come to in a bucket: `1.2M tokens`, `$3.20`. */
export function amountTextAt(layers: readonly Layer[], place: number, measure: Measure): string {
  const sums = layers.map(({ sums }) => sums?.[place]);
  const whole = sums.flatMap((sum) => sum ?? []);
  if (whole.length === layers.length) {
    return amountText(sumOfBuckets(whole, { first: "", last: "" }), measure);
  }
  // Parts of tokens alone have no sums.
  const tokens: ActivitySum = { messages: 0, usage: { ...noUsage(), total_tokens: amountAt(layers, place) ?? 0 } };
  return amountText(tokens, "tokens");
}

/** The largest layers of a bucket by name, for a line below the pointer. */
export function partsTextAt(layers: readonly Layer[], place: number, measure: Measure): string {
  return layers
    .map((layer) => ({ layer, amount: layer.amounts[place] ?? 0 }))
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount)
    .slice(0, MOST_NAMED)
    .map(({ layer }) => `${layer.name} ${amountTextAt([layer], place, measure)}`)
    .join(" · ");
}

const MOST_NAMED = 3;
