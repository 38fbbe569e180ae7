import { randomBytes } from 'node:crypto'
import { createIdFactory } from '@crmkit/core'
import { expect, test } from 'vitest'
import { createMailTags, mailKeyBytes, readTag, sharedTag } from './mail-tags.ts'

const ids = createIdFactory(Date.now)
const newTags = () => createMailTags(randomBytes(mailKeyBytes))

test('a signed address leads to its conversation, in whatever case a mail system writes it', () => {
  const tags = newTags()
  const conversationId = ids.next('con')
  const tag = tags.addressTag(conversationId)
  expect(tag).toMatch(/^[0-9a-z]{26}\.[a-z2-7]{16}$/)
  expect(tags.conversationOf(tag)).toBe(conversationId)
  expect(tags.conversationOf(tag.toUpperCase())).toBe(conversationId)
  expect(`${'a'.repeat(20)}+${tag}`).toHaveLength(64)
})

test('an address that all tenants share fits, and leads to the tenant and its tag', () => {
  const [tenantId, conversationId] = [ids.next('ten'), ids.next('con')]
  const tag = newTags().addressTag(conversationId)
  const shared = sharedTag(tag, tenantId)
  expect(`reply+${shared}`).toHaveLength(64)
  const tenantIdStart = tenantId.slice(0, 18)
  expect(readTag(shared)).toEqual({ tag, conversationId, tenantIdStart })
  expect(readTag(shared.toUpperCase())).toMatchObject({ conversationId, tenantIdStart })
  expect(readTag(tag)).toEqual({ tag, conversationId, tenantIdStart: undefined })
  expect(readTag(`${tag}.short`)).toBeUndefined()
})

test('a signed Message-ID leads to its message', () => {
  const tags = newTags()
  const messageId = ids.next('msg')
  expect(tags.messageOf(tags.messageIdTag(messageId))).toBe(messageId)
})

test.each([
  ['another tenant signed it', (tag: string) => tag, newTags()],
  ['a character of the reference differs', (tag: string) => `${tag[0] === '0' ? '1' : '0'}${tag.slice(1)}`],
  [
    'a character of the signature differs',
    (tag: string) => `${tag.slice(0, -1)}${tag.endsWith('a') ? 'b' : 'a'}`,
  ],
  ['the signature is shorter', (tag: string) => tag.slice(0, -1)],
  ['the signature is longer', (tag: string) => `${tag}a`],
  ['the signature is missing', (tag: string) => tag.split('.')[0] ?? ''],
  ['there is only a signature', (tag: string) => `.${tag.split('.')[1]}`],
  ['it is empty', () => ''],
])(
  'a tag leads nowhere when %s',
  (_, change, signer = undefined as ReturnType<typeof newTags> | undefined) => {
    const tags = newTags()
    const by = signer ?? tags
    expect(tags.conversationOf(change(by.addressTag(ids.next('con'))))).toBeUndefined()
    expect(tags.messageOf(change(by.messageIdTag(ids.next('msg'))))).toBeUndefined()
  },
)

test('the signature of an address does not open a Message-ID, and neither does the other one', () => {
  const tags = newTags()
  const id = ids.next('con')
  const [, mac] = tags.addressTag(id).split('.')
  expect(tags.messageOf(`${id}.${mac}`)).toBeUndefined()
  const [, other] = tags.messageIdTag(id).split('.')
  expect(tags.conversationOf(`${id.slice(4).toLowerCase()}.${other}`)).toBeUndefined()
})
