import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type ConversationIncluded,
  Crm,
  type Draft,
  type Message,
  type PopulatedConversation,
  type Presence,
  type ReadState,
  type ReplyRecipients,
} from '../src/index.ts'
import { fakeFetch } from '../src/testing/index.ts'

// Methods that return a member beside `data` too.

const requests: { url: string; body: unknown }[] = []
const answer = fakeFetch()
const crm = new Crm({
  baseUrl: 'https://crm.test',
  apiKey: 'sk_test_x',
  fetch: async (input, init) => {
    const request = new Request(input, init)
    const text = await request.clone().text()
    requests.push({ url: request.url, body: text === '' ? undefined : JSON.parse(text) })
    return answer(request)
  },
})

describe('a look at a conversation', () => {
  it('asks for the parts, and returns them beside the conversation', async () => {
    const { data, included } = await crm.conversations.look('con_1', { include: ['messages', 'drafts'] })
    expect(requests.at(-1)?.url).toBe(
      'https://crm.test/api/v1/conversations/con_1?include=messages&include=drafts',
    )
    expect(data.subject).toEqual(expect.any(String))
    expect(Object.keys(included)).toEqual(['messages', 'drafts'])
    expect(included.messages.data).toEqual([])
    expectTypeOf(data).toEqualTypeOf<PopulatedConversation>()
    expectTypeOf(included.messages.data).toEqualTypeOf<Message[]>()
    expectTypeOf(included.drafts.data).toEqualTypeOf<Draft[]>()
    // @ts-expect-error it was not asked for
    expect(included.recipients).toBeUndefined()
  })

  it('takes one part without a list; recipients may be null', async () => {
    const { included } = await crm.conversations.look('con_1', { include: 'recipients' })
    expect(requests.at(-1)?.url).toBe('https://crm.test/api/v1/conversations/con_1?include=recipients')
    expect(Object.keys(included)).toEqual(['recipients'])
    expectTypeOf(included.recipients).toEqualTypeOf<ReplyRecipients | null>()
  })

  it('takes no other word, and no call without one', () => {
    const options = { signal: AbortSignal.abort() }
    // @ts-expect-error not a part
    void crm.conversations.look('con_1', { include: 'presence' }, options).catch(() => undefined)
    // @ts-expect-error the parts are missing
    void crm.conversations.look('con_1', {}, options).catch(() => undefined)
    expectTypeOf<keyof ConversationIncluded>().toEqualTypeOf<
      'messages' | 'activities' | 'drafts' | 'recipients'
    >()
  })

  it('leaves the plain read as it is: without a query, and with the conversation alone', async () => {
    const conversation = await crm.conversations.get('con_1')
    expect(requests.at(-1)?.url).toBe('https://crm.test/api/v1/conversations/con_1')
    expect(conversation).not.toHaveProperty('included')
    expectTypeOf(conversation).toEqualTypeOf<PopulatedConversation>()
  })
})

describe('a presence that marks as read', () => {
  it('returns who is there and how far the user has read', async () => {
    const { data, read } = await crm.conversations.setPresenceAndRead('con_1', {
      state: 'viewing',
      readSeq: 3,
    })
    expect(requests.at(-1)).toEqual({
      url: 'https://crm.test/api/v1/conversations/con_1/presence',
      body: { state: 'viewing', readSeq: 3 },
    })
    expect(Array.isArray(data)).toBe(true)
    expect(read.seq).toEqual(expect.any(Number))
    expectTypeOf(data).toEqualTypeOf<Presence[]>()
    expectTypeOf<typeof read>().toExtend<ReadState>()
  })

  it('needs the mark; without one the plain method returns who is there', async () => {
    const options = { signal: AbortSignal.abort() }
    // @ts-expect-error the mark is missing
    void crm.conversations.setPresenceAndRead('con_1', { state: 'none' }, options).catch(() => undefined)
    const present = await crm.conversations.setPresence('con_1', { state: 'none' })
    expect(Array.isArray(present)).toBe(true)
    expectTypeOf(present).toEqualTypeOf<Presence[]>()
  })
})
