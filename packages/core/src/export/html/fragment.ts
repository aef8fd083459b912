/** An entry as HTML, ready to be put into a page. */
export interface EntryFragment {
  /** Of the entry; the element has the id `anchorOf(id)`. */
  id: string;
  /** One `<article>` with everything that belongs to the entry: an assistant's message with the results of its calls. */
  html: string;
  /** One line of what the user said, where the entry is a prompt of theirs; else `null`. */
  prompt: string | null;
}
