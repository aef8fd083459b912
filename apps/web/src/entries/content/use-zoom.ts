import { useEffect, useRef, useState } from "react";
import { formatPercent } from "../../i18n/format.ts";

/** How much larger than it is a small picture becomes in the window at most. */
const MOST_FITTED = 4;
const STEP = 1.5;
const SMALLEST = 0.1;
const LARGEST = 16;

interface Size {
  width: number;
  height: number;
}

/** The size of a picture in a window: as large as fits, or a multiple of its pixels. */
export function useZoom() {
  const stage = useRef<HTMLDivElement>(null);
  const [natural, setNatural] = useState<Size | null>(null);
  const [room, setRoom] = useState<Size>({ width: 0, height: 0 });
  /** `null`: as large as fits. */
  const [chosen, setChosen] = useState<number | null>(null);

  useEffect(() => {
    const box = stage.current;
    if (box === null) return;
    const measure = () => setRoom({ width: box.clientWidth, height: box.clientHeight });
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);

  const fitted = natural === null ? 1 : Math.min(room.width / natural.width, room.height / natural.height, MOST_FITTED);
  const scale = chosen ?? fitted;
  const multiply = (factor: number) => setChosen(Math.min(LARGEST, Math.max(SMALLEST, scale * factor)));
  const larger = () => multiply(STEP);
  const smaller = () => multiply(1 / STEP);

  // React's own listeners cannot keep the browser from making the whole page larger.
  const latest = useRef({ larger, smaller });
  latest.current = { larger, smaller };
  useEffect(() => {
    const box = stage.current;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      if (event.deltaY < 0) latest.current.larger();
      else latest.current.smaller();
    };
    box?.addEventListener("wheel", onWheel, { passive: false });
    return () => box?.removeEventListener("wheel", onWheel);
  }, []);

  return {
    stage,
    isFitted: chosen === null,
    /** `null` until the picture is known. */
    size: natural === null ? null : { width: natural.width * scale, height: natural.height * scale },
    percent: formatPercent(Math.round(scale * 100)),
    larger,
    smaller,
    fit: () => setChosen(null),
    /** Between what fits and its own size; where that is the smaller one, twice what fits. */
    toggle: () => setChosen(chosen === null ? (fitted < 1 ? 1 : fitted * 2) : null),
    loaded: ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) => setNatural({ width, height }),
  };
}
