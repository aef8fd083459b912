import { lazy, Suspense, useState } from "react";
import { useActions } from "../shortcuts/actions.ts";

const Palette = lazy(() => import("./palette.tsx").then(({ Palette }) => ({ default: Palette })));

/** Opens the palette over every screen; it is loaded when it is opened first. */
export function PaletteHost() {
  const [isOpen, setOpen] = useState(false);
  useActions([
    {
      id: "view.palette",
      title: "palette.open",
      group: "view",
      keys: "mod+k",
      inFields: true,
      run: () => setOpen(true),
    },
  ]);
  return <Suspense>{isOpen && <Palette onClose={() => setOpen(false)} />}</Suspense>;
}
