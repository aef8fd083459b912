import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { Star } from "lucide-react";
import { expect, it } from "vitest";
import { IconButton } from "./button.tsx";
import { place } from "./tooltip.tsx";

const TIP = { left: 0, top: 0, width: 100, height: 20 };
const at = (left: number, top: number) => ({ left, top, width: 40, height: 40 });

it.each([
  ["below", "bottom", at(300, 300), { left: 270, top: 346 }],
  ["above", "top", at(300, 300), { left: 270, top: 274 }],
  ["on the right", "right", at(300, 300), { left: 346, top: 310 }],
  ["on the left", "left", at(300, 300), { left: 194, top: 310 }],
  ["above where there is no room below", "bottom", at(300, 700), { left: 270, top: 674 }],
  ["below where there is no room above", "top", at(300, 0), { left: 270, top: 46 }],
  ["on the left where there is no room on the right", "right", at(980, 300), { left: 874, top: 310 }],
  ["within the window at its left edge", "bottom", at(0, 300), { left: 8, top: 346 }],
  ["within the window at its right edge", "bottom", at(984, 300), { left: 916, top: 346 }],
] as const)("is %s", (_where, side, anchor, expected) => {
  const { innerWidth: width, innerHeight: height } = window;
  Object.assign(window, { innerWidth: 1024, innerHeight: 768 });
  expect(place(anchor, TIP, side)).toEqual(expected);
  Object.assign(window, { innerWidth: width, innerHeight: height });
});

it("explains what is pointed at or reached by the keyboard, until it is left or Escape is pressed", async () => {
  const user = userEvent.setup();
  render(
    <main>
      <IconButton icon={Star} label="Add" keys="s" />
    </main>,
  );
  const button = screen.getByRole("button", { name: "Add" });
  await user.hover(button);
  const tip = await screen.findByRole("tooltip");
  expect(tip.textContent).toBe("AddS");
  expect(tip.parentElement).toBe(screen.getByRole("main"));
  expect(button.getAttribute("aria-describedby")).toBe(tip.id);
  await user.unhover(button);
  await waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
  expect(button.hasAttribute("aria-describedby")).toBe(false);

  await user.hover(button);
  await screen.findByRole("tooltip");
  fireEvent.keyDown(document.body, { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
});
