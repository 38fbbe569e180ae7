import type { ConflictPolicy } from '@crmkit/core/vocabulary'

export interface ThreeWay {
  policy: ConflictPolicy
  /** The value here. */
  local: unknown
  /** The value of the source at the last import; undefined when there was none. */
  imported: unknown
  /** The value of the source now. */
  source: unknown
}

export function isSameValue(a: unknown, b: unknown): boolean {
  return (a ?? null) === (b ?? null) || JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}

const isBlank = (value: unknown) => value === null || value === undefined

/** Whether the value of the source is not stored: another one is here and stays. */
export function isKeptHere({ source }: Pick<ThreeWay, 'source'>, value: unknown): boolean {
  return !isBlank(source) && !isSameValue(withoutSigns(source), withoutSigns(value))
}

/** One address in two cases, or one number with other blanks, is one value. */
function withoutSigns(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase().replaceAll(/[\s()./-]/g, '') : value
}

/** Decides one field. `isConflict`: it was edited on both sides, and the value here stays. */
export function mergeField({ policy, local, imported, source }: ThreeWay): {
  value: unknown
  isConflict: boolean
} {
  const keep = { value: local ?? null, isConflict: false }
  const take = { value: source ?? null, isConflict: false }
  if (isSameValue(local, source)) return keep
  if (policy === 'local_wins') return isBlank(local) ? take : keep
  if (policy === 'source_wins') return isBlank(source) ? keep : take
  // A value that nobody has here is never an edit, unless the source had one that was deleted here.
  const isEdited = imported === undefined ? !isBlank(local) : !isSameValue(local, imported)
  if (!isEdited) return isBlank(source) && isBlank(imported) ? keep : take
  return { ...keep, isConflict: !isSameValue(source, imported) }
}
