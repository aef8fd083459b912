/** A name beside others that tells what something belongs to, such as the agent of a session. */
export function Badge({ text, title }: { text: string; title?: string }) {
  return (
    <span title={title} className="shrink-0 rounded-sm bg-press px-1.5 text-muted text-xs leading-4.5">
      {text}
    </span>
  );
}
