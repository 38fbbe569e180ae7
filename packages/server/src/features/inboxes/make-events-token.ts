import { invalidState, type makeEventsToken, noEmailSettings, notFound } from '@crmkit/core'
import { findMailTags } from '../../mail/addresses/mail-key.ts'
import type { Handler } from '../handler.ts'

const overlapSecondsDefault = 86_400

/** The token is a signature over a number that the row keeps, so that nothing secret is stored. */
export const handleMakeEventsToken: Handler<typeof makeEventsToken> = async (
  { store, now, services: { secrets } },
  { params: { id }, body },
) => {
  const row = await store.inboxes.find(id)
  if (row === undefined) throw notFound()
  const tags = await findMailTags(store, secrets)
  if (tags === undefined) throw invalidState('The inbox has no address', 'no_address', ['with an address'])
  const overlapMs = (body.overlapSeconds ?? overlapSecondsDefault) * 1000
  const number = (row.eventsToken?.number ?? 0) + 1
  const set = {
    email: { ...(row.email ?? noEmailSettings), eventsTokenMadeAt: now },
    eventsToken: {
      number,
      previousEndsAt: overlapMs > 0 ? new Date(Date.parse(now) + overlapMs).toISOString() : null,
    },
    updatedAt: now,
  }
  return {
    change: { writes: [{ op: 'update', kind: 'inboxes', id, expectVersion: row.version, set }], events: [] },
    audit: { action: 'inbox.eventsTokenMade', target: { type: 'inbox', _id: id } },
    reply: { success: true, data: { _id: id, eventsToken: tags.eventsToken(row, number) } },
  }
}
