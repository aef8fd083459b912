import { abandoned, assistant, edit, label, read, run, think, user, type WrittenSession } from "../written-session.ts";

/** Front ends, sockets, media. */
export const CLIENT_SESSIONS: WrittenSession[] = [
  {
    id: "react-update-depth",
    cwd: "/home/cleo/dev/dashboard",
    daysAgo: 13,
    steps: [
      user("The filter panel crashes with `Maximum update depth exceeded`."),
      read(
        "src/panels/FilterPanel.tsx",
        "useEffect(() => {\n  setFilters({ ...filters, range });\n}, [filters, range]);",
      ),
      assistant(
        "The effect sets `filters` and depends on it, each render makes a new object: an infinite loop of renders.",
      ),
      edit("src/panels/FilterPanel.tsx", "[filters, range]", "[range]"),
      assistant(
        "`useEffect` depends on `range` alone and uses the updater form. The panel renders twice instead of forever.",
      ),
    ],
  },
  {
    id: "virtual-table-jumps",
    cwd: "/home/cleo/dev/dashboard",
    daysAgo: 31,
    steps: [
      user("The table with 50,000 rows jumps when I scroll up, rows have different heights."),
      assistant(
        "The virtualizer estimates 36 pixels for rows that it has not measured; above the viewport each measurement shifts what is visible.",
      ),
      edit(
        "src/table/VirtualRows.tsx",
        "estimateSize: () => 36",
        "estimateSize: (index) => heights.get(index) ?? median(heights),\n  shouldAdjustScrollPositionOnItemSizeChange: () => true",
      ),
      assistant(
        "Scrolling up is steady: measured heights are remembered by row id and the scroll offset is corrected.",
      ),
    ],
  },
  {
    id: "dark-mode-flash",
    cwd: "/home/cleo/dev/dashboard",
    daysAgo: 77,
    steps: [
      user("In dark mode the page flashes white before the theme is applied."),
      assistant(
        "The theme is read from localStorage after hydration. An inline script in the head has to set the class before the first paint.",
      ),
      edit(
        "index.html",
        "<head>",
        '<head><script>document.documentElement.dataset.theme = localStorage.theme ?? "light"</script>',
      ),
      assistant("No more white flash, and `color-scheme` follows the theme so that scrollbars do too."),
    ],
  },
  {
    id: "websocket-reconnect-backoff",
    cwd: "/home/cleo/dev/live-feed",
    daysAgo: 19,
    steps: [
      user("When the server restarts, all clients reconnect in the same second and knock it over again."),
      assistant("A thundering herd. Reconnecting needs exponential backoff with full jitter."),
      edit(
        "src/socket/reconnect.ts",
        "setTimeout(connect, 1000)",
        "setTimeout(connect, Math.random() * Math.min(30_000, 500 * 2 ** attempt))",
      ),
      run("npx vitest run src/socket", " ✓ spreads the reconnects of 1,000 clients over half a minute\n"),
      assistant("`reconnect.ts` waits a random part of an exponentially growing time, at most 30 seconds."),
    ],
  },
  {
    id: "websocket-slow-consumer",
    cwd: "/home/cleo/dev/live-feed",
    daysAgo: 44,
    steps: [
      user("One slow browser tab makes the feed server's memory grow without end."),
      run("node --inspect-brk feed.js", "heap: 2.1 GB, 94 % in socket.bufferedAmount of one WebSocket\n"),
      assistant("There is no backpressure: the server sends on whatever the socket's buffered amount is."),
      edit(
        "src/feed/broadcast.ts",
        "socket.send(frame)",
        "if (socket.bufferedAmount < HIGH_WATER) socket.send(frame); else drop(socket, frame)",
      ),
      assistant("Slow consumers are cut off at one megabyte and get a marker that says how much they missed."),
      label("backpressure done"),
    ],
  },
  {
    id: "video-thumbnails",
    cwd: "/home/cleo/dev/media",
    daysAgo: 63,
    steps: [
      user("Thumbnails of portrait videos from phones are rotated by 90 degrees."),
      run("ffprobe -show_streams clip.mov | grep rotation", "rotation=-90\n"),
      assistant("ffmpeg's autorotate is switched off by our -noautorotate; the display matrix of the clip is ignored."),
      edit("src/thumbnails/ffmpeg-arguments.ts", '"-noautorotate", ', ""),
      assistant("The thumbnails of portrait clips are upright now."),
    ],
  },
  {
    id: "drag-and-drop-abandoned",
    cwd: "/home/cleo/dev/dashboard",
    daysAgo: 120,
    steps: [
      user("Make the dashboard tiles sortable with the mouse and the keyboard."),
      assistant("I begin with the HTML5 drag events."),
      abandoned(
        "Tried native HTML5 drag and drop: no touch support, the ghost image cannot be styled, and screen readers announce nothing. Left in favour of pointer events.",
      ),
      edit("src/tiles/SortableTiles.tsx", "onDragStart", "onPointerDown"),
      assistant("Tiles move with pointer events and with the arrow keys; a live region tells the new position."),
    ],
  },
  {
    id: "icon-font-emoji",
    cwd: "/home/cleo/dev/dashboard",
    daysAgo: 88,
    steps: [
      user("The status column shows 🚀 as two boxes on Windows."),
      think("Surrogate pair cut by substring(0, 1): it must be split by grapheme, not by UTF-16 unit."),
      edit("src/status/first-symbol.ts", "text.substring(0, 1)", "[...new Intl.Segmenter().segment(text)][0].segment"),
      assistant("🚀 is one grapheme now. Flags and families with joiners work as well."),
    ],
  },
];
