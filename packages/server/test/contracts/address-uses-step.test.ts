import { expect, test } from 'vitest'
import { removalOf } from '../../src/shared/removal-of.ts'
import { addressUseId } from '../../src/storage/rules/address-uses.ts'
import { addressUsesStep } from '../../src/upgrades/address-uses.ts'
import { openForStep } from '../support/upgrade-step.ts'
import { add } from './storage/samples.contract.ts'

const noMail = {
  replyTo: null,
  replyToList: [],
  forwardedFrom: null,
  to: [],
  cc: [],
  bcc: [],
  subject: null,
  messageId: null,
  inReplyTo: null,
  date: null,
  verified: null,
  automated: false,
  noAutoReply: false,
  possiblyDoubled: false,
  quoted: [],
  quotedFrom: null,
  truncated: false,
}

test('mails of an earlier version get the rows by which an erasure finds their addresses', async () => {
  const { store, run } = await openForStep('2026-11-21T12:00:00.000Z')
  await add(store, 'conversations', [{ _id: 'con_1' }])
  const address = 'ada@mail.example'
  const email = { ...noMail, from: { address, name: null } }
  await add(store, 'messages', [
    { conversationId: 'con_1', direction: 'inbound', email },
    { conversationId: 'con_1', direction: 'inbound', email },
    { conversationId: 'con_1', email: null },
  ])
  const use = async () => store.addressUses.find(addressUseId({ conversationId: 'con_1', address }))
  const noted = await use()
  expect(noted).toBeDefined()
  if (noted) await store.commit({ writes: [removalOf('addressUses', noted)], events: [] })
  expect(await run(addressUsesStep)).toMatchObject({ addressUses: { skipped: 0 } })
  expect(await use()).toMatchObject({ address, conversationId: 'con_1', version: 1 })
})
