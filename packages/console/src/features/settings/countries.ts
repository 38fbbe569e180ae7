/** Codes that ISO 3166 reserves for groups of countries and for tests. */
const notCountries = ['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Returns the code and the name of each country that the browser knows, in the order of the names in this language. */
export function countriesOf(locale: string): [string, string][] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return codes
    .filter((code) => isToday(code) && !notCountries.includes(code))
    .flatMap((code): [string, string][] => {
      const name = names.of(code)
      return name === undefined ? [] : [[code, name]]
    })
    .toSorted(([, one], [, other]) => one.localeCompare(other, locale))
}

/** The code of a country of the past stands for that of its successor. */
function isToday(code: string): boolean {
  return Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`
}
