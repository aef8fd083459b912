import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Distance from the end, in pixels, within which the view follows it. */
const NEAR_END = 8;

/** Room that the rows have at least, so that nothing is scrolled where they become fewer; until the end is in sight. */
export function useRoom(scroller: RefObject<HTMLElement | null>, height: number, isFollowing: boolean) {
  const [room, setRoom] = useState(0);
  const isKept = room > 0;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!isKept || element === null) return;
    if (isFollowing) return setRoom(0);
    const onScroll = () => {
      if (element.scrollTop + element.clientHeight <= height) setRoom(0);
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [scroller, height, isFollowing, isKept]);
  const keepRoom = useCallback(() => {
    const element = scroller.current;
    if (element !== null) setRoom(element.scrollTop + element.clientHeight);
  }, [scroller]);
  return { room, keepRoom };
}

/** What a hand does that may scroll; heights that become known scroll too. */
const BY_HAND = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/** Tells when a hand may scroll. */
export function useHands(scroller: RefObject<HTMLElement | null>, onHand: () => void): void {
  const latest = useRef(onHand);
  latest.current = onHand;
  useEffect(() => {
    const element = scroller.current;
    const onEvent = (event: Event) => {
      // A press on the box itself is one on its scroll bar.
      if (event.type !== "pointerdown" || event.target === element) latest.current();
    };
    for (const name of BY_HAND) element?.addEventListener(name, onEvent, { passive: true });
    return () => {
      for (const name of BY_HAND) element?.removeEventListener(name, onEvent);
    };
  }, [scroller]);
}

/** Follows the end after the user has scrolled there, until scrolling up. */
export function useFollowing(scroller: RefObject<HTMLElement | null>, onFollow: (isFollowing: boolean) => void): void {
  const latest = useRef(onFollow);
  latest.current = onFollow;
  const isByHand = useRef(false);
  useHands(scroller, () => {
    isByHand.current = true;
  });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let last = element.scrollTop;
    const end = () => {
      isByHand.current = false;
    };
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      if (isByHand.current) {
        if (scrollHeight - scrollTop - clientHeight <= NEAR_END) latest.current(true);
        else if (scrollTop < last) latest.current(false);
      }
      last = scrollTop;
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    element.addEventListener("scrollend", end);
    return () => {
      element.removeEventListener("scroll", onScroll);
      element.removeEventListener("scrollend", end);
    };
  }, [scroller]);
}
