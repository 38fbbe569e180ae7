/** Variables of the CLI and of the tests, which may be set in the same environment. */
const othersNames = /^CRM_(API_KEY|PROFILE|PASSWORD|KEYRING|WEBHOOK_SECRET|TEST_.*)$/
const differencesMax = 2

/** Returns a warning for each `CRM_` variable that nothing reads and that resembles one that is read. */
export function misspelledVariables(
  variables: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  const unknown = Object.keys(variables).filter((name) => {
    return name.startsWith('CRM_') && !known.includes(name) && !othersNames.test(name)
  })
  return unknown.flatMap((name) => {
    const near = nearestName(name, known)
    return near === undefined ? [] : [`${name} is not a setting and has no effect: do you mean ${near}?`]
  })
}

/** Returns a warning for each option that does not exist, with the one that it resembles. */
export function unknownOptions(given: object, known: readonly string[]): string[] {
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  return unknown.map((name) => {
    const near = nearestName(name, known)
    return `createCrm has no option ${name}, which has no effect${near === undefined ? '' : `: do you mean ${near}?`}`
  })
}

/** Returns the known name that differs least, where it differs in little; case and `_` are no difference. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  const ranked = known.map((candidate) => ({
    candidate,
    differences: differencesOf(plain(name), plain(candidate)),
  }))
  const [nearest] = ranked.sort((a, b) => a.differences - b.differences)
  return nearest !== undefined && nearest.differences <= differencesMax ? nearest.candidate : undefined
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

/** The Levenshtein distance: how many characters have to be added, removed or replaced. */
function differencesOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
