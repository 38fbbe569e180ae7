import { expect, onTestFinished, test } from 'vitest'
import { readSender } from '../../src/mail/in/read-sender.ts'
import type { AttachmentKey } from '../../src/ports/attachment-store.ts'
import { sendersOfMailsStep } from '../../src/upgrades/senders-of-mails.ts'
import { openTestAttachments } from '../support/test-world.ts'
import { openForStep } from '../support/upgrade-step.ts'
import { add } from './storage/samples.contract.ts'

async function* inPieces(text: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += 1000) yield Buffer.from(text.slice(at, at + 1000))
}

test('parked mails of an earlier version get the sender that their bytes name, in its normal form; no other mail changes', async () => {
  const { tenantId, store, run } = await openForStep('2026-11-26T12:00:00.000Z')
  const { store: attachments, cleanup } = await openTestAttachments()
  onTestFinished(cleanup)
  const parked = {
    conversationId: null,
    messageId: null,
    from: null,
    rawDeletedAt: null,
    status: 'parked',
  } as const
  const envelope = { from: null, to: ['help@example.com'] }
  await add(store, 'inboundMails', [
    { ...parked, envelope, _id: 'mail_1', attachmentId: 'att_1', dedupKey: '1' },
    { ...parked, envelope, _id: 'mail_2', attachmentId: 'att_2', dedupKey: '2' },
    { ...parked, envelope, _id: 'mail_3', attachmentId: 'att_deleted', dedupKey: '3' },
    { ...parked, envelope, _id: 'mail_4', attachmentId: 'att_1', dedupKey: '4', status: 'ignored' },
  ])
  const long = `Subject: x\r\nX-Long: ${'y'.repeat(10_000)}\r\nFrom: Ada <Ada@Bücher.example>\r\n\r\nHello\r\n`
  await attachments.write({ tenantId, id: 'att_1' }, inPieces(long))
  await attachments.write(
    { tenantId, id: 'att_2' },
    inPieces('Subject: nobody\r\n\r\nFrom: nobody@example.com\r\n'),
  )
  const senderOfMail = (key: AttachmentKey) => readSender(attachments, key)
  await run(sendersOfMailsStep, { attachments, senderOfMail })
  const sendersOf = async (list: readonly string[]) =>
    Promise.all(list.map(async (id) => (await store.inboundMails.find(id))?.from))
  expect(await sendersOf(['mail_1', 'mail_2', 'mail_3', 'mail_4'])).toEqual([
    'ada@xn--bcher-kva.example',
    null,
    null,
    null,
  ])
  const found = await store.inboundMails.list({
    unlinkedSender: 'ada@xn--bcher-kva.example',
    page: 1,
    limit: 10,
  })
  expect(found.rows.map(({ _id }) => _id)).toEqual(['mail_1'])
})
