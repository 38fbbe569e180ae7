import { mailBytesMax } from '@crmkit/core'
import { type ListedMail, MailDeleted, type OpenMailbox } from '../../../ports/mail-source.ts'
import { isoTime } from '../../../shared/clock.ts'
import type { TenantId } from '../../../storage/records.ts'
import { inTurn, type ReceivedMail, type StoreMailParts, storeMail } from '../store-mail.ts'
import { cursorWrite, type MailboxCursor } from './mailbox-cursor.ts'

export interface TakenMail {
  tenantId: TenantId
  inboxId: string
  folder: string
  mailbox: OpenMailbox
  cursor: MailboxCursor
  mail: ListedMail
}

/**
 * Stores one mail, and moves the cursor in the same commit. A mail that is too long is stored by its header, parked, so
 * that it blocks no other one and somebody sees it; a mail that was deleted meanwhile is skipped.
 */
export async function takeMail(parts: StoreMailParts, taken: TakenMail): Promise<void> {
  const { mailbox, mail } = taken
  if (mail.sizeBytes > mailBytesMax) return takeHeader(parts, taken)
  try {
    // One byte more than allowed shows that the server reports a wrong size.
    await store(parts, taken, { bytes: withinMax(mailbox.read(mail, mailBytesMax + 1)) })
  } catch (error) {
    if (error instanceof TooLong) await takeHeader(parts, taken)
    else if (error instanceof MailDeleted) taken.cursor.uid = mail.uid
    else throw error
  }
}

class TooLong extends Error {}

async function* withinMax(slices: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const slice of slices) {
    length += slice.length
    if (length > mailBytesMax) throw new TooLong()
    yield slice
  }
}

async function takeHeader(parts: StoreMailParts, taken: TakenMail): Promise<void> {
  const { mailbox, mail, folder } = taken
  const header = await mailbox.readHeader(mail.uid)
  if (header === undefined) {
    taken.cursor.uid = mail.uid
    return
  }
  const sizeBytes = Math.max(mail.sizeBytes, mailBytesMax + 1)
  const mb = Math.ceil(sizeBytes / 1024 / 1024)
  const error = `The mail has ${mb} MB, at most ${mailBytesMax / 1024 / 1024} are read: open it in the folder ${folder}.`
  await store(parts, taken, { bytes: inTurn([header]), parked: { reason: 'too_large', error, sizeBytes } })
}

/** Sets a mail aside that the server failed to send repeatedly: it must not block those after it. */
export async function setAside(parts: StoreMailParts, taken: TakenMail, failure: string): Promise<void> {
  const { mailbox, mail, folder } = taken
  const error = `The mail could not be read: open it in the folder ${folder} (UID ${mail.uid}). ${failure}`
  // Every mail that is set aside has bytes of its own, because equal ones are duplicates.
  const note = `Subject: A mail that could not be read\r\n\r\nUIDVALIDITY ${mailbox.uidValidity}, UID ${mail.uid}\r\n`
  const { sizeBytes } = mail
  const parked = { reason: 'fetch_failed' as const, error, sizeBytes }
  await store(parts, taken, { bytes: inTurn([Buffer.from(note)]), parked })
}

async function store(
  parts: StoreMailParts,
  { tenantId, inboxId, cursor, mail }: TakenMail,
  received: Pick<ReceivedMail, 'bytes' | 'parked'>,
): Promise<void> {
  const now = isoTime(parts.clock.nowMs())
  await storeMail(parts, {
    tenantId,
    inboxId,
    door: 'imap',
    envelope: { from: null, to: [] },
    ...received,
    alongside: [cursorWrite(cursor, mail.uid, now)],
  })
  cursor.uid = mail.uid
  cursor.version += 1
}
