import { act, render, screen, waitFor } from "@testing-library/react";
import { Suspense } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type LazyPart, lazyPart, preloadParts } from "./lazy-part.ts";
import { Toaster } from "./toast.tsx";

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>;

const Broken = (): never => {
  throw new Error("broken");
};

// React says there what a boundary has caught.
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

/** A part that can be loaded after some failures; counts how often it was. */
function partOf(when: "idle" | "asked", failures = 0) {
  const loads = { count: 0 };
  const load = async () => {
    loads.count += 1;
    if (loads.count <= failures) throw new Error("offline");
    return { Greeting };
  };
  return { Part: lazyPart(load, "Greeting", when), loads };
}

const shown = (Part: LazyPart<{ name: string }>) => (
  <Suspense fallback="…">
    <Part name="you" />
  </Suspense>
);

it("is loaded when it is shown first, and once", async () => {
  const { Part, loads } = partOf("asked");
  preloadParts();
  expect(loads.count).toBe(0);
  const { unmount } = await act(async () => render(shown(Part)));
  screen.getByText("Hello you");
  unmount();
  render(shown(Part));
  screen.getByText("Hello you");
  expect(loads.count).toBe(1);
});

it("appears at once when the page has had time to load it", async () => {
  const { Part, loads } = partOf("idle");
  preloadParts();
  await waitFor(() => expect(loads.count).toBe(1));
  await Promise.resolve();
  render(shown(Part));
  screen.getByText("Hello you");
  expect(loads.count).toBe(1);
});

it("is tried again when it could not be loaded ahead", async () => {
  const { Part, loads } = partOf("asked", 1);
  Part.preload();
  await waitFor(() => expect(loads.count).toBe(1));
  await act(async () => render(shown(Part)));
  screen.getByText("Hello you");
  expect(loads.count).toBe(2);
});

it("does not take the page with it where it cannot be loaded, and is loaded when it is asked for again", async () => {
  const { Part, loads } = partOf("asked", 2);
  const page = (name: string) => (
    <>
      <p>The page</p>
      <Toaster />
      <Suspense fallback="…">
        <Part name={name} />
      </Suspense>
    </>
  );
  const { rerender } = await act(async () => render(page("you")));
  screen.getByText("The page");
  screen.getByText("Could not load a part of the page.");
  screen.getByRole("button", { name: "Reload the page" });
  await act(async () => rerender(page("you")));
  expect(loads.count).toBe(1);
  await act(async () => rerender(page("her")));
  expect(loads.count).toBe(2);
  expect(screen.getAllByText("Could not load a part of the page.")).toHaveLength(1);
  await act(async () => rerender(page("him")));
  screen.getByText("Hello him");
  expect(loads.count).toBe(3);
});

it("lets through what it throws itself", async () => {
  const Part = lazyPart(async () => ({ Broken }), "Broken", "asked");
  const shownBroken = () => (
    <Suspense>
      <Part />
    </Suspense>
  );
  await expect(act(async () => render(shownBroken()))).rejects.toThrow("broken");
});
