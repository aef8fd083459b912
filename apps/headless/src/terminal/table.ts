import { visible } from "./visible.ts";
import { cutToWidth, displayWidth } from "./width.ts";

/** One column of a table. Cells may contain any text; control characters are escaped. */
export interface Column<Row> {
  head: string;
  cell(row: Row): string;
  align?: "right";
  /** Truncated if the terminal is too narrow; others are shown in full. */
  flexible?: boolean;
  /** Omitted if even the truncated columns do not fit. */
  optional?: boolean;
  /** Colors the final text of a cell. */
  paint?(text: string): string;
}

export interface TableStyle {
  /** Columns of the terminal. */
  width: number;
  paintHead(text: string): string;
}

const GAP = "  ";
/** A narrower flexible column is useless. */
const MIN_WIDTH = 12;

/** Prints rows below their headings, one line each, within the terminal's width if possible. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], style: TableStyle): string {
  const drawn = columns.map((column) => {
    const cells = rows.map((row) => visible(column.cell(row)));
    const wanted = Math.max(...[column.head, ...cells].map(displayWidth));
    return { column, cells, wanted, width: column.flexible ? Math.min(wanted, MIN_WIDTH) : wanted };
  });
  const fitting = fitColumns(drawn, style.width);
  const line = (texts: string[]) => `${texts.join(GAP).trimEnd()}\n`;
  const head = line(fitting.map(({ column, width }) => style.paintHead(pad(column.head, width, column.align))));
  const body = rows.map((_, row) =>
    line(
      fitting.map(({ column, cells, width }) => {
        const text = pad(cutToWidth(cells[row] ?? "", width), width, column.align);
        return column.paint?.(text) ?? text;
      }),
    ),
  );
  return head + body.join("");
}

interface DrawnColumn<Row> {
  column: Column<Row>;
  cells: string[];
  /** Width of the widest cell. */
  wanted: number;
  width: number;
}

function fitColumns<Row>(drawn: DrawnColumn<Row>[], available: number): DrawnColumn<Row>[] {
  const used = drawn.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length);
  const last = drawn.findLastIndex(({ column }) => column.optional);
  if (used > available && last !== -1) return fitColumns(drawn.toSpliced(last, 1), available);

  let spare = Math.max(0, available - used);
  // Narrow columns leave their unused width to the others.
  const growing = drawn.filter(({ column }) => column.flexible).sort((one, other) => one.wanted - other.wanted);
  for (const [place, column] of growing.entries()) {
    const share = Math.min(column.wanted - column.width, Math.floor(spare / (growing.length - place)));
    column.width += share;
    spare -= share;
  }
  return drawn;
}

function pad(text: string, width: number, align: "right" | undefined): string {
  const padding = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "right" ? padding + text : text + padding;
}
