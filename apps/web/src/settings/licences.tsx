import { useQuery } from "@tanstack/react-query";
import { SkeletonLines } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";

/** A library that the page is made of. The build writes the list, see vite.config.ts. */
interface Library {
  name: string;
  version: string;
  identifier?: string;
  text?: string;
}

/** Whose work is in this page. */
export function Licences() {
  const { data, error } = useQuery({
    queryKey: ["licences"],
    async queryFn(): Promise<Library[]> {
      const response = await fetch("/licences.json");
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return (await response.json()) as Library[];
    },
  });
  if (error !== null) return <p className="text-muted text-sm">{t("settings.licences_failed")}</p>;
  if (data === undefined) return <SkeletonLines count={3} />;
  return (
    <>
      <p className="pb-3 text-muted text-sm">{t("settings.licences_text", { count: data.length })}</p>
      <div className="flex flex-col gap-px overflow-hidden rounded-lg bg-line">
        {data.map(({ name, version, identifier = "", text = "" }) => (
          <details key={`${name}@${version}`} className="bg-sunken">
            <summary className="px-4 py-2 text-sm hover:bg-hover touch:py-3">
              {name} <span className="text-faint text-xs">{`${version} · ${identifier}`}</span>
            </summary>
            <pre className="overflow-x-auto whitespace-pre-wrap px-4 pb-3 text-muted text-xs">{text}</pre>
          </details>
        ))}
      </div>
    </>
  );
}
