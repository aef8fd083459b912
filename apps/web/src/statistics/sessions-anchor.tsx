import { useRouter } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import type { SessionsLink } from "./sessions-link.ts";

export interface SessionsAnchorProps extends Omit<ComponentProps<"a">, "href"> {
  link: SessionsLink;
}

/** A mark or a name that leads to its sessions. A chart has hundreds, for which the router's own links are too slow. */
export function SessionsAnchor({ link, onClick, ...props }: SessionsAnchorProps) {
  const { history } = useRouter();
  return (
    <a
      href={link}
      onClick={(event) => {
        onClick?.(event);
        const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
        if (event.defaultPrevented || !isPlain) return;
        event.preventDefault();
        history.push(link);
      }}
      {...props}
    />
  );
}
