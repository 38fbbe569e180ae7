/** More changes than this make another word. */
const changesMax = 3

/** Returns the candidate with the fewest changed letters, or undefined when none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, changes: countChanges(word, candidate) }))
    .sort((a, b) => a.changes - b.changes)
  const [best] = ranked
  return best && best.changes <= changesMax ? best.candidate : undefined
}

/** The number of letters to insert, delete or replace: the Levenshtein distance. */
function countChanges(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1]
    for (const [column, other] of [...b].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
