import { usageError } from '../../cli-error.ts'
import type { Client } from '../../profile/open-client.ts'

/** Returns the id of the newest import of an integration. */
export async function latestRunId({ call }: Client, integrationId: string): Promise<string> {
  const { data } = await call((crm) => crm.imports.list(integrationId, { limit: 1 }))
  const [latest] = data
  if (latest) return latest._id
  throw usageError('There was no import of this integration yet.', 'crm imports start begins one.')
}
