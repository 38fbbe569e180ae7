import { normalizeEmail, type StoredMessage } from '@crmkit/core'
import { addressMark } from '../../mail/out/stop-link.ts'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { visitorAddressOf } from '../../shared/visitor-address.ts'
import type { ChatMailAddress } from '../../storage/kinds/chat-mails.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { WidgetSession } from '../../storage/kinds/widget-sessions.ts'
import type { Stored } from '../../storage/records.ts'
import { dayMs, type Mailing, momentsOf, withMoment } from './chat-mail-rules.ts'

/** A signed person has few sessions at once, and the newest of them is where they are. */
const sessionsMax = 50

export interface VisitorContact {
  /** The address that mail goes to; null where no session names one. */
  address: string | null
  /** Whether the page has signed it. */
  isSigned: boolean
  /** When a browser of the visitor was last there, to the minute; null without a session. */
  seenAt: string | null
}

/** Returns how a visitor is reached outside of the chat. */
export async function contactOfVisitor(
  store: Pick<TenantReads, 'widgetSessions'>,
  visitorId: string,
  customer: CustomerRecord | undefined,
): Promise<VisitorContact> {
  const newest = { visitorId, sort: '-createdAt', page: 1, limit: sessionsMax } as const
  const { rows } = await store.widgetSessions.listRows(newest)
  const named = rows.map((row: WidgetSession) => ({
    address: visitorAddressOf(row, customer),
    isSigned: row.personId !== null,
  }))
  const { address = null, isSigned = false } = named.find((one) => one.address !== null) ?? {}
  const seenAt =
    rows
      .flatMap(({ lastSeenAt }) => lastSeenAt ?? [])
      .toSorted()
      .at(-1) ?? null
  return { address, isSigned, seenAt }
}

/** Whether somebody has replied to the mail of a chat from an address: a mail from it is in the conversation, and no forged one. */
export function hasRepliedFrom(messages: readonly StoredMessage[], address: string): boolean {
  const folded = normalizeEmail(address)
  return messages.some(({ direction, email }) => {
    const isMail = direction === 'inbound' && email?.from && email.verified !== false
    return isMail && normalizeEmail(email.from?.address ?? '') === folded
  })
}

/** Returns the write that counts a mail to an address. Of two at once the later one is decided again. */
export function addressWrite(
  { tenantId, address, now }: { tenantId: string; address: string; now: string },
  stored: Stored<ChatMailAddress> | undefined,
  mailing: Mailing,
): Write {
  const endsAt = isoTime(Date.parse(now) + dayMs)
  const moments = { [mailing]: withMoment(momentsOf(stored, mailing), now) }
  if (stored) {
    const { _id: id, version: expectVersion } = stored
    const set = { ...moments, endsAt, updatedAt: now }
    return { op: 'update', kind: 'chatMailAddresses', id, expectVersion, set }
  }
  const empty = { mailedAt: [], transcribedAt: [] }
  const _id = addressMark(address)
  const row: ChatMailAddress = { _id, tenantId, ...empty, ...moments, endsAt, createdAt: now, updatedAt: now }
  return { op: 'insert', kind: 'chatMailAddresses', row }
}
