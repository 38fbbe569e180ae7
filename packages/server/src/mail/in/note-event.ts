import { type IdFactory, shownMessage } from '@crmkit/core'
import type { Clock } from '../../ports/clock.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { VersionConflict } from '../../storage/errors.ts'
import type { MailTags } from '../addresses/mail-tags.ts'
import { type PlannedBounce, reportChange } from './plan-bounce.ts'
import type { ProviderEvent } from './provider-events.ts'

const conflictsMax = 5

interface NoteParts {
  store: TenantStore
  tags: MailTags
  inboxId: string
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
      if (!(error instanceof VersionConflict) || conflicts >= conflictsMax) throw error
    }
  }
}

async function planEvent(
  { store, tags, inboxId, ids, clock }: NoteParts,
  { ref, messageId, recipient }: ProviderEvent,
): Promise<PlannedBounce | undefined> {
  const id = tags.messageOf(ref ?? '') ?? tags.messageOf(localPartOf(messageId ?? ''))
  const row = id === undefined ? undefined : await store.messages.find(id)
  const conversation = row && (await store.conversations.find(row.conversationId))
  if (row === undefined || conversation?.inboxId !== inboxId) return undefined
  const reports = new Map([[recipient.address, recipient]])
  const now = isoTime(clock.nowMs())
  const planned = await reportChange({ store, ids, now }, shownMessage(row), reports)
  return planned.isAbout ? planned : undefined
}

function localPartOf(messageId: string): string {
  return messageId.slice(0, Math.max(0, messageId.lastIndexOf('@')))
}
