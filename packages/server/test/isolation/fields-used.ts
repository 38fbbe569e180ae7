import type { AnyOperation, OperationId } from '@crmkit/core'
import { strongestTokens } from './credentials.ts'
import { samples } from './samples.ts'
import type { SmallWorld } from './world.ts'

/** Resources that an operation finds without naming them. */
const foundWithoutName: { readonly [Id in OperationId]?: readonly (keyof SmallWorld)[] } = {
  'customers.merges': ['mergedCustomerId'],
  'drafts.discard': ['draftId'],
  'users.listMentions': ['mentioningId'],
  'privacy.cancelDeletion': ['deletionRequestId'],
  'webhooks.recover': ['logId'],
}

/** The fields of a world that a request of the operation needs: its tenant is made with these alone. */
export function fieldsUsedBy(operation: AnyOperation): ReadonlySet<keyof SmallWorld> {
  const used = new Set<keyof SmallWorld>(['tenantId', 'marker', 'tokens'])
  const recorder = new Proxy({} as SmallWorld, {
    get(_world, field) {
      used.add(field as keyof SmallWorld)
      return field === 'tokens' ? {} : ''
    },
  })
  samples[operation.id](recorder)
  strongestTokens(operation, recorder)
  for (const field of foundWithoutName[operation.id] ?? []) used.add(field)
  return used
}
