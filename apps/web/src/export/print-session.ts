import type { Service } from "../client/service.ts";
import { fetchExport } from "./fetch-export.ts";

/** A page can only be printed from outside where it has the origin of this one, and so it may run nothing. */
const SANDBOX = "allow-same-origin allow-modals";

const SCRIPT = /<script\b[^>]*>.*?<\/script>/gs;

let last: HTMLIFrameElement | null = null;

/** Prints the exported page of a session, which is made for paper. Rejects as `fetchExport`. */
export async function printExport(service: Service, address: string, title: string): Promise<void> {
  const html = await (await fetchExport(service, address)).text();
  last?.remove();
  const frame = document.createElement("iframe");
  last = frame;
  frame.className = "printed";
  frame.setAttribute("sandbox", SANDBOX);
  frame.title = title;
  frame.tabIndex = -1;
  frame.ariaHidden = "true";
  const url = URL.createObjectURL(new Blob([html.replace(SCRIPT, "")], { type: "text/html" }));
  frame.src = url;
  frame.addEventListener("load", () => {
    URL.revokeObjectURL(url);
    const page = frame.contentWindow;
    page?.addEventListener("afterprint", () => frame.remove());
    page?.focus();
    page?.print();
  });
  document.body.append(frame);
}
