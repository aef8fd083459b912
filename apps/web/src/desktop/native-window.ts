/** What the window of the desktop application does for the page: what a page cannot do by itself. */
export interface Desktop {
  /** Opens an address of http or https in the user's browser. */
  openInBrowser(url: string): Promise<void>;
  /**
   * Asks where to save an export and saves it there.
   *
   * @param path an address of the service, from `/api/export?` on.
   * @returns the path of the file; `null` where the user saves nothing.
   */
  saveExport(path: string, suggestedName: string): Promise<string | null>;
  revealInFileManager(path: string): Promise<void>;
  notify(title: string, body: string): Promise<void>;
  /** The session file that the application was started with, told once. */
  pendingSession(): Promise<string | null>;
  /** Follows session files that the user opens with the application; resolves with what ends that. */
  onSessionOpened(listener: (path: string) => void): Promise<() => void>;
  /** Follows what is chosen in the window's menu: ids of actions. Resolves with what ends that. */
  onMenu(listener: (action: string) => void): Promise<() => void>;
}
