import { Chromium } from "./chromium.ts";

const OPENING_TIMEOUT_MS = 60_000;

/** Milliseconds from the beginning of the navigation. */
export interface PageOpening {
  firstContentfulPaint: number;
  load: number;
}

/** Opens a page in a new Chromium; `null` where there is no Chromium. */
export async function openPage(url: string, profile: string): Promise<PageOpening | null> {
  const chromium = await Chromium.start(profile);
  if (chromium === null) return null;
  try {
    return await measure(chromium, url);
  } finally {
    await chromium.stop();
  }
}

async function measure(chromium: Chromium, url: string): Promise<PageOpening> {
  const page = await chromium.newPage();
  const times = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const opened = new Promise<PageOpening>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${url} was not open in time.`)), OPENING_TIMEOUT_MS);
    page.on("Page.lifecycleEvent", ({ name, timestamp }) => {
      // Each document begins with `init`: the empty one that was there before, too.
      if (name === "init") times.clear();
      times.set(String(name), Number(timestamp) * 1000);
      const [start, paint, load] = ["init", "firstContentfulPaint", "load"].map((event) => times.get(event));
      if (start === undefined || paint === undefined || load === undefined) return;
      resolve({ firstContentfulPaint: paint - start, load: load - start });
    });
  });
  try {
    await page.send("Page.setLifecycleEventsEnabled", { enabled: true });
    times.clear();
    await page.send("Page.navigate", { url });
    return await opened;
  } finally {
    clearTimeout(timer);
  }
}
