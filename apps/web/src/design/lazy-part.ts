import { createElement, lazy, type ReactNode, useState } from "react";
import { LoadFailure, PartBoundary } from "./part-boundary.tsx";

/**
 * A component that is loaded when it is first shown, or before. Needs a `Suspense` around it. Where it cannot be loaded,
 * as without a connection or after an update of the service, that is told, and nothing is shown until it is asked for
 * again.
 */
export interface LazyPart<Props> {
  (props: Props): ReactNode;
  /** Loads it, so that it appears at once. What fails is tried again when it is shown. */
  preload(): void;
}

/** What is loaded when the page has nothing else to do. */
const awaited: LazyPart<never>[] = [];
let isIdle = false;

/**
 * A part of the page that the first screen does without: `lazyPart(withTexts(() => import("./x.tsx")), "X")`.
 *
 * @param when `idle`, usually: it is loaded before anybody asks for it, since it answers a key or a click. `asked`: what
 *   few people open in a day.
 */
export function lazyPart<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, (props: Props) => ReactNode>>>,
  name: Name,
  when: "idle" | "asked" = "idle",
): LazyPart<Props> {
  let loaded: ((props: Props) => ReactNode) | null = null;
  let loading: Promise<void> | null = null;
  const begin = () => {
    loading ??= load().then(
      (module) => {
        loaded = module[name];
      },
      (error: unknown) => {
        loading = null;
        throw new LoadFailure("A part of the page could not be loaded.", { cause: error });
      },
    );
    return loading;
  };
  const wait = () =>
    lazy(async () => {
      await begin();
      return { default: (props: Props) => loaded?.(props) };
    });
  let Awaited = wait();
  const showInside = (props: Props): ReactNode => {
    // What is there is shown at once; whatever was waited for stays the same component.
    const [shown] = useState(() => loaded ?? Awaited);
    return createElement(shown, props);
  };
  const onFailure = () => {
    Awaited = wait();
  };
  const show = (props: Props): ReactNode =>
    createElement(PartBoundary, { asked: props, onFailure }, createElement(showInside, props));
  const preload = () => void begin().catch(() => undefined);
  const part = Object.assign(show, { preload });
  if (when === "idle") {
    if (isIdle) preload();
    else awaited.push(part);
  }
  return part;
}

/** Loads what is likely to be asked for. Called once the first screen is there. */
export function preloadParts(): void {
  isIdle = true;
  for (const part of awaited.splice(0)) part.preload();
}

/** Runs something when the browser has nothing more urgent to do. Returns what calls it off. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const id = requestIdleCallback(run, { timeout: LATEST_MS });
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(run, LATEST_MS);
  return () => clearTimeout(timer);
}

const LATEST_MS = 2_000;
