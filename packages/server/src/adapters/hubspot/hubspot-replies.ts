import type { HubspotResponse } from './hubspot-client.ts'
import type { Json } from './hubspot-tokens.ts'

export function resultsOf({ json }: HubspotResponse): readonly Json[] {
  return (json['results'] as readonly Json[] | undefined) ?? []
}

/** Where the next page of a list begins; null at the end. */
export function afterOf(given: Json | undefined): string | null {
  const next = (given?.['paging'] as Json | undefined)?.['next'] as Json | undefined
  return typeof next?.['after'] === 'string' ? next['after'] : null
}

/** A failed reading is not remembered. */
export function remembered<T>(
  known: Map<string, Promise<T>>,
  key: string,
  read: () => Promise<T>,
): Promise<T> {
  const before = known.get(key)
  if (before !== undefined) return before
  const reading = read().catch((error: unknown) => {
    known.delete(key)
    throw error
  })
  known.set(key, reading)
  return reading
}
