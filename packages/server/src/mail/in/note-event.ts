import { type IdFactory, shownMessage } from '@crmkit/core'
import type { Clock } from '../../ports/clock.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { Storage, TenantStore } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { isNotedDoor } from '../../shared/note-door.ts'
import { VersionConflict } from '../../storage/errors.ts'
import { type MailSend, remoteKeyOf } from '../../storage/kinds/mail-sends.ts'
import type { TenantId } from '../../storage/records.ts'
import { findMailTags } from '../addresses/mail-key.ts'
import { type MailTags, readRef } from '../addresses/mail-tags.ts'
import { sendsOfRemoteId } from '../addresses/sends-of-remote-id.ts'
import { tenantsBeginning } from '../addresses/tenants-beginning.ts'
import { type PlannedBounce, reportChange } from './plan-bounce.ts'
import type { ProviderEvent } from './provider-events.ts'

const conflictsMax = 5

interface NoteParts {
  store: TenantStore
  tags: MailTags
  /** Undefined: every inbox whose mail leaves by the relay. */
  inboxId: string | undefined
  ids: IdFactory
  clock: Clock
}

/**
 * Notes an event of a provider on the message that it is about. Returns false for an event about no mail of the inbox, or
 * about nobody whom that mail was sent to: a token must not suppress a stranger.
 */
export async function noteEvent(parts: NoteParts, event: ProviderEvent): Promise<boolean> {
  for (let conflicts = 0; ; conflicts++) {
    const planned = await planEvent(parts, event)
    if (planned === undefined) return false
    const { writes, events } = planned
    try {
      if (writes.length > 0) await parts.store.commit({ writes, events })
      return true
    } catch (error) {
      const isConflict = error instanceof VersionConflict || isNotedDoor(error)
      if (!isConflict || conflicts >= conflictsMax) throw error
    }
  }
}

async function planEvent(
  { store, tags, inboxId, ids, clock }: NoteParts,
  { ref, messageId, remoteId, recipient }: ProviderEvent,
): Promise<PlannedBounce | undefined> {
  const id =
    tags.messageOf(readRef(ref ?? '')?.tag ?? '') ??
    tags.messageOf(localPartOf(messageId ?? '')) ??
    (remoteId && (await sendsOfRemoteId(store, { inboxId, remoteId }))[0]?._id)
  if (!id) return undefined
  const [row, send] = await Promise.all([store.messages.find(id), store.mailSends.find(id)])
  if (row === undefined || send === undefined || !(await isSentBy(store, { send, inboxId }))) return undefined
  const reports = new Map([[recipient.address, recipient]])
  const now = isoTime(clock.nowMs())
  const planned = await reportChange({ store, ids, now }, shownMessage(row), reports)
  return planned.isAbout ? planned : undefined
}

/** The inbox that sent the mail decides: its conversation may be in another one by now. */
async function isSentBy(
  store: TenantStore,
  { send, inboxId }: { send: MailSend; inboxId: string | undefined },
): Promise<boolean> {
  if (inboxId !== undefined) return send.inboxId === inboxId
  return (await store.inboxes.find(send.inboxId))?.email?.transport === 'relay'
}

interface RelayParts extends Pick<NoteParts, 'ids' | 'clock'> {
  storage: Pick<Storage, 'forTenant' | 'system'>
  secrets: SecretBox
}

/** Notes an event of the relay's provider on the message of whichever tenant it is about; returns false where there is none. */
export async function noteRelayEvent(
  { storage, secrets, ids, clock }: RelayParts,
  event: ProviderEvent,
): Promise<boolean> {
  for (const tenantId of await tenantsOfEvent(storage, event)) {
    const store = storage.forTenant(tenantId)
    const tags = await findMailTags(store, secrets)
    if (tags && (await noteEvent({ store, tags, inboxId: undefined, ids, clock }, event))) return true
  }
  return false
}

/** Mails of the relay with one id: its provider may repeat it. */
const sameIdMax = 5

async function tenantsOfEvent(
  { system }: RelayParts['storage'],
  { ref, remoteId }: ProviderEvent,
): Promise<TenantId[]> {
  const start = readRef(ref ?? '')?.tenantIdStart
  const named = start === undefined ? [] : await tenantsBeginning(system, start)
  if (named.length > 0 || remoteId === null) return named.map(({ tenantId }) => tenantId)
  const sends = await system.across.remoteSends.of(remoteKeyOf('relay', remoteId), sameIdMax)
  return [...new Set(sends.map(({ tenantId }) => tenantId))]
}

function localPartOf(messageId: string): string {
  return messageId.slice(0, Math.max(0, messageId.lastIndexOf('@')))
}
