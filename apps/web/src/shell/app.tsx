import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Fragment, useEffect, useState } from "react";
import { ServiceProvider } from "../client/service-context.tsx";
import type { ServiceData } from "../client/service-data.ts";
import { type Locale, loadLocale, localePreference } from "../i18n/locale.ts";
import { useKeyboard } from "../shortcuts/actions.ts";
import { makeRouter } from "./router.tsx";

export interface AppProps {
  data: ServiceData;
  /** The language whose catalogue is loaded. */
  locale: Locale;
}

/** The whole page. */
export function App({ data, locale: firstLocale }: AppProps) {
  const [router] = useState(makeRouter);
  const [locale, setLocale] = useState(firstLocale);
  useEffect(() => localePreference.subscribe(() => void loadLocale().then(setLocale)), []);
  useKeyboard();
  return (
    <QueryClientProvider client={data.queries}>
      <ServiceProvider data={data}>
        {/* Another language makes everything that is shown anew; what is loaded stays. */}
        <Fragment key={locale}>
          <RouterProvider router={router} />
        </Fragment>
      </ServiceProvider>
    </QueryClientProvider>
  );
}
