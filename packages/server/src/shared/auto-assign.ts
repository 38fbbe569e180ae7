import type { Inbox } from '@crmkit/core'
import type { InboxRecord } from '../storage/kinds/inboxes.ts'

/**
 * Returns how an inbox assigns. Before `onlyOnline`, everybody was online who had not said otherwise: an inbox that assigned then
 * goes on so, for a team that works by the API alone.
 */
export function autoAssignOf({ autoAssign }: Pick<InboxRecord, 'autoAssign'>): Inbox['autoAssign'] {
  const { enabled, strategy, onlyOnline = !enabled, maxOpen } = autoAssign
  return { enabled, strategy, onlyOnline, maxOpen }
}
