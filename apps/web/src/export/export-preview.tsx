import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useService } from "../client/service-context.tsx";
import { ErrorState } from "../design/error-state.tsx";
import { SkeletonLines } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";
import type { ExportFormat } from "./export-options.ts";
import { EXPORTED_PAGE_SANDBOX, exportedPageUrl } from "./exported-page.ts";
import { fetchStart } from "./fetch-start.ts";

/** Bytes of an export that are shown: enough for many screens. */
const MAX_BYTES = { html: 512 * 1024, text: 64 * 1024 };

/** Shows the beginning of an export as it will be. */
export function ExportPreview({ address, format }: { address: string; format: ExportFormat }) {
  const service = useService();
  const most = format === "html" ? MAX_BYTES.html : MAX_BYTES.text;
  const { data, error, refetch } = useQuery({
    queryKey: ["export-preview", address],
    queryFn: ({ signal }) => fetchStart(service, address, most, signal),
    retry: false,
    // The preview must equal the export.
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <section aria-label={t("export.preview")} className="flex min-h-0 flex-col overflow-hidden rounded-md bg-sunken">
      {error !== null ? (
        <ErrorState title={t("export.preview_failed")} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonLines count={8} className="p-6" />
      ) : format === "html" ? (
        <PageFrame html={data.text} />
      ) : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard where it can be focused
          tabIndex={0}
          className="min-h-0 flex-1 overflow-auto p-4 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          {data.text}
        </pre>
      )}
      {data?.isWhole === false && <p className="shrink-0 px-4 py-2 text-faint text-xs">{t("export.preview_start")}</p>}
    </section>
  );
}

/** An exported page in a frame that shares nothing with this page. */
function PageFrame({ html }: { html: string }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = exportedPageUrl(html);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [html]);
  if (url === null) return null;
  return (
    <iframe
      key={url}
      title={t("export.preview")}
      sandbox={EXPORTED_PAGE_SANDBOX}
      src={url}
      className="min-h-0 w-full flex-1 border-0"
    />
  );
}
