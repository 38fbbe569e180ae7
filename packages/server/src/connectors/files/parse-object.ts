/** A record is nested no deeper. */
const depthMax = 50

/** Reads the text of one record; undefined when it is no JSON object. Numbers that would lose digits are texts. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = hasExactNumbers(text) ? JSON.parse(text) : JSON.parse(text, exactNumber)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && !isDeeper(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function hasExactNumbers(text: string): boolean {
  return !/\d{16}|\d[eE]/.test(text)
}

/** An integer beyond 2^53 stays as it was written: it is an id. */
function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
  return isExact ? value : context.source
}

/** Whether an object is nested deeper than a record may be. */
function isDeeper(value: object): boolean {
  let level: unknown[] = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > depthMax) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}
