/** A variable with its default. Neither part holds a brace, so each text is read once. */
const variable = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g

/** Returns what stands between double braces, or before the bar in them, and is none of the names; each once. */
export function unknownVariables(text: string, names: readonly string[]): string[] {
  const found = Array.from(text.matchAll(variable), ([, name = '']) => name.trim())
  return [...new Set(found)].filter((name) => !names.includes(name))
}

export interface Filled<Name extends string> {
  text: string
  /** Variables without a value and without a default, each once. */
  missing: Name[]
}

/**
 * Returns the text with the values in place of its variables; a variable without a value becomes its default, or nothing. A value is
 * not read for variables. `escapeValue` makes a value harmless in the text that it is put into.
 */
export function fillVariables<Name extends string>(
  text: string,
  values: Readonly<Record<Name, string | null | undefined>>,
  escapeValue: (value: string) => string,
): Filled<Name> {
  const known = new Map<string, string | null | undefined>(Object.entries(values))
  const missing = new Set<string>()
  const filled = text.replace(variable, (_, named: string, usual: string | undefined) => {
    const name = named.trim()
    const value = known.get(name)
    if (value) return escapeValue(value)
    if (usual === undefined) missing.add(name)
    return usual?.trim() ?? ''
  })
  return { text: filled, missing: [...missing] as Name[] }
}
