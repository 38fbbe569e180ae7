import { createIdFactory } from '@crmkit/core'
import { afterEach, describe, expect, test } from 'vitest'
import { createRemoveDueAttachments } from '../../src/features/attachments/remove-due-attachments.ts'
import { inTurn, storeMail } from '../../src/mail/in/store-mail.ts'
import type { AttachmentStore } from '../../src/ports/attachment-store.ts'
import { StorageUnavailable } from '../../src/storage/errors.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { silentLog } from '../support/silent-log.ts'
import { openTestAttachments, openTestDatabase } from '../support/test-world.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const hoursMs = 3 * 3_600_000

/** The clock of the server jumps ahead, so the job takes the bytes of a mail that arrives for those of a sender who went away. */
async function storeWhileJobRuns(
  jumpsAt: 'start' | 'end' | 'end, and deletes later',
  text: string,
): Promise<void> {
  const { storage, remove } = await openTestDatabase()
  const { store: attachments, cleanup } = await openTestAttachments()
  ends.push(() => storage.close(), remove, cleanup)
  let nowMs = Date.parse('2026-11-27T12:00:00.000Z')
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }
  const ids = createIdFactory(clock.nowMs)
  const jump = async () => {
    nowMs += hoursMs
    await createRemoveDueAttachments({ storage, attachments, clock, log: silentLog }).runDue()
  }
  const stored = Promise.withResolvers<void>()
  /** Returns when the job has hidden the row; it deletes the bytes behind the commit of the mail. */
  const hideOnly = () =>
    new Promise<void>((hidden) => {
      nowMs += hoursMs
      const slow = {
        remove: async (key: Parameters<AttachmentStore['remove']>[0]) => {
          hidden()
          await stored.promise
          await attachments.remove(key)
        },
      }
      const job = createRemoveDueAttachments({ storage, attachments: slow, clock, log: silentLog }).runDue()
      ends.unshift(() => job)
    })
  const jumping: Pick<AttachmentStore, 'write' | 'remove' | 'fileOf'> = {
    fileOf: (key) => attachments.fileOf(key),
    async write(key, bytes) {
      async function* meanwhile() {
        yield* bytes
        if (jumpsAt === 'start') await jump()
      }
      await attachments.write(key, meanwhile())
      if (jumpsAt === 'end') await jump()
      if (jumpsAt === 'end, and deletes later') await hideOnly()
    },
    remove: (key) => attachments.remove(key),
  }
  const budgets = { admit: async () => ({ end() {} }), readAtMs: async () => nowMs }
  const tenantId = ids.next('ten') as TenantId
  const head = 'From: a@example.com\r\nMessage-ID: <1@example.com>\r\n\r\n'
  const bytes = inTurn([Buffer.from(head), Buffer.from(text)])
  const envelope = { from: 'a@example.com', to: ['help@acme.test'] }
  const mail = { tenantId, inboxId: ids.next('inb'), door: 'http' as const, envelope, bytes }
  const parts = { storage, attachments: jumping, budgets, clock, ids, log: silentLog }
  await storeMail(parts, mail).finally(stored.resolve)
}

describe.each([
  ['small', 'Hello'],
  ['large', 'It is dark. '.repeat(50_000)],
])('a %s mail', (_, text) => {
  test.each(['start', 'end', 'end, and deletes later'] as const)(
    'is refused for now, and sent again, when a job removes its bytes while it arrives: the job runs at the %s',
    async (jumpsAt) => {
      await expect(storeWhileJobRuns(jumpsAt, text)).rejects.toThrow(StorageUnavailable)
    },
  )
})
