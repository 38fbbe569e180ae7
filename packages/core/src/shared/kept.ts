/** A field after a PUT: absent keeps what was; null is given on, for the caller to clear or to default. */
export function kept<T>(given: T | undefined, before: T): T {
  return given === undefined ? before : given
}
