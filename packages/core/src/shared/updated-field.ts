/** The value of a field after a PUT: an absent field keeps its value, null is left to the caller to clear or to default. */
export function updatedField<T>(given: T | undefined, before: T): T {
  return given === undefined ? before : given
}
