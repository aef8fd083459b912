import { Suspense, useState } from "react";
import { lazyPart } from "../design/lazy-part.ts";
import { withTexts } from "../i18n/locale.ts";
import { useActions } from "../shortcuts/actions.ts";

const Palette = lazyPart(
  withTexts(() => import("./palette.tsx")),
  "Palette",
);

/** Opens the palette over every screen. */
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
