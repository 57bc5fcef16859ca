const needsQuotes = /[",\r\n\0\uFEFF]|^\s|\s$/

/** A row as RFC 4180 writes it, with its line end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(cell: string): string {
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
