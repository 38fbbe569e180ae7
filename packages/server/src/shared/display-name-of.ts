import type { TenantReads } from '../ports/storage.ts'

/** Returns the name that customers read for an API key; null where it has none: its own name is the team's, such as "ci on vm". */
export async function displayNameOf(
  { apiKeys }: Pick<TenantReads, 'apiKeys'>,
  id: string | null,
): Promise<string | null> {
  const key = id === null ? undefined : await apiKeys.find(id)
  return key?.displayName ?? null
}
