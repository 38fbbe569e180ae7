/** Returns the values in braces that a text has, each once. */
export function valuesOf(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}/g) ?? [])]
}

/** Returns the values of an own text that the usual one does not have: nothing fills them in. */
export function unknownValues(usual: string, own: string): string[] {
  const known = valuesOf(usual)
  return valuesOf(own).filter((value) => !known.includes(value))
}
