/** An entry as HTML for the page. */
export interface EntryFragment {
  /** ID of the entry; the element has the ID `anchorOf(id)`. */
  id: string;
  /**
   * One `<article>` with everything that belongs to the entry: an assistant's message includes the results of its
   * calls.
   */
  html: string;
  /** One line of the text if the entry is a user prompt; otherwise `null`. */
  prompt: string | null;
}
