/** What the user opens from outside of the page. */
export type OpenedPlace =
  /** The path of a session file. */
  | { file: string }
  /** A `session-manager:` link, which anybody may have written. */
  | { link: string }
  /** An address within the page, which the page has given: of a notification, or of the tray. */
  | { address: string };

/** Something that waits for the user or runs, as the tray shows it. */
export interface TrayRow {
  text: string;
  /** Address within the page. */
  address: string;
  isWaiting: boolean;
}

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
  /** @param address within the page: a click leads there. */
  notify(title: string, body: string, address: string): Promise<void>;
  /** Shows these in the tray instead of the former ones, where the system has a tray. */
  showInTray(rows: readonly TrayRow[]): Promise<void>;
  /** What the application was started with, told once. */
  pendingPlace(): Promise<OpenedPlace | null>;
  /** Follows what the user opens from outside of the page; resolves with what ends that. */
  onOpened(listener: (place: OpenedPlace) => void): Promise<() => void>;
  /** Follows what is chosen in the window's menu: ids of actions. Resolves with what ends that. */
  onMenu(listener: (action: string) => void): Promise<() => void>;
}
