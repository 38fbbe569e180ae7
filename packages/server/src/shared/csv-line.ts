/**
 * Returns a line of a CSV file. A cell that a spreadsheet would run as a formula gets an apostrophe; with `keepsSigns` not one that is a
 * number, or a phone number, with its sign.
 */
export function csvLine(cells: readonly string[], { keepsSigns = false } = {}): string {
  return `${cells.map((cell) => csvCell(cell, keepsSigns)).join(',')}\r\n`
}

function csvCell(text: string, keepsSigns: boolean): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !(keepsSigns && /^[+-][\d\s().,/-]*$/.test(text))
  const harmless = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
