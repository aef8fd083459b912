import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { createService } from "./client/service.ts";
import { createTokenStore } from "./client/token.ts";
import "./design/tokens.css";
import "./design/base.css";
import { followDensity } from "./design/density.ts";
import { followTheme } from "./design/theme.ts";
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
