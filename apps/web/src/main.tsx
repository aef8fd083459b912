import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createService } from "./client/service.ts";
import { createTokenStore } from "./client/token.ts";
import { App } from "./shell/app.tsx";
import "./design/tokens.css";
import "./design/base.css";
import { followDensity } from "./appearance/density.ts";
import { followTheme } from "./appearance/theme.ts";
import { loadLocale } from "./i18n/locale.ts";

followTheme();
followDensity();
const service = createService({ url: location.origin, tokens: createTokenStore(window) });
const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element #root.");
// Not awaited here: all other parts of the page import this one, and would wait for it.
void loadLocale().then((locale) =>
  createRoot(root).render(
    <StrictMode>
      <App service={service} locale={locale} />
    </StrictMode>,
  ),
);
