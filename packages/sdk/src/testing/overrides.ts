/** Some members of `T`, to any depth; an array is given as a whole. */
export type Overrides<T> = T extends string | number | boolean | null | undefined | readonly unknown[]
  ? T
  : { readonly [Key in keyof T]?: Overrides<T[Key]> | undefined }

/** The sample with every override applied. An override of `undefined` changes nothing, null is a value. */
export function withOverrides<T>(sample: T, overrides: Overrides<NoInfer<T>> | undefined): T {
  if (overrides === undefined) return sample
  if (!isObject(sample) || !isObject(overrides)) return overrides as T
  const merged: Record<string, unknown> = { ...sample }
  for (const [key, value] of Object.entries(overrides))
    merged[key] = withOverrides<unknown>(merged[key], value as object)
  return merged as T
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

let count = 0

/** An id that no other sample has, in the form of the service's ids; the same ones in the same order in every run. */
export function nextId(prefix: string): string {
  count++
  return `${prefix}_01TEST${String(count).padStart(20, '0')}`
}
