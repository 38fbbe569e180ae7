const barWidth = 24
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** Returns a bar whose length is the share of a number in the greatest one. */
export function bar(value: number, greatest: number): string {
  if (greatest <= 0 || value <= 0) return ''
  const filled = Math.max(1, Math.round((value / greatest) * barWidth * 8))
  return '█'.repeat(Math.floor(filled / 8)) + (eighths[filled % 8] ?? '')
}
