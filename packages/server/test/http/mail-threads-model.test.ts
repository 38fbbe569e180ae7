// Runs on both databases by day: a random walk over stored states.

import { randomUUID } from 'node:crypto'
import { type Arbitrary, constantFrom, nat, oneof, record } from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createRoundRobin } from '../../src/features/conversations/choose-assignee.ts'
import { findMailTags } from '../../src/mail/addresses/mail-key.ts'
import { planMessage } from '../../src/mail/in/plan-message.ts'
import type { MailFacts } from '../../src/mail/parse/mail-facts.ts'
import { createSecretBox } from '../../src/security/secret-box.ts'
import type { InboundMailRecord } from '../../src/storage/kinds/inbound-mails.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { runModel } from '../support/run-model.ts'
import { setLimit } from '../support/set-limit.ts'
import { useService } from '../support/use-service.ts'

// The rules by which a mail joins a conversation (ADR 0022), written a second time and as simply as possible.

const secretsKey = 'the key of these tests which is long enough'
const secrets = createSecretBox([secretsKey])
const service = useService({ CRM_SECRETS_KEY: secretsKey })
let inbox: MailInbox
let tags: NonNullable<Awaited<ReturnType<typeof findMailTags>>>
beforeAll(async () => {
  inbox = await makeMailInbox(service)
  // All walks together reply more often than a new tenant may.
  await setLimit(service, inbox, ['relayRecipientsPerDay', 1_000_000])
  const found = await findMailTags(inbox.store, secrets)
  if (found === undefined) throw new Error('The tenant has no mail key')
  tags = found
})

const people = ['ada@example.com', 'bob@example.org', 'eve@example.net'] as const
type Person = (typeof people)[number]

type Action =
  | {
      type: 'mail'
      from: Person
      verified: boolean | null
      /** The way in which the mail names a conversation; `forged` ones look alike and are not signed. */
      names: 'nothing' | 'address' | 'signedId' | 'storedId' | 'forgedAddress' | 'forgedId' | 'subject'
      /** The number of the named conversation. */
      which: number
    }
  | { type: 'reply'; to: Person; which: number }

const action: Arbitrary<Action> = oneof(
  {
    weight: 5,
    arbitrary: record({
      type: constantFrom('mail' as const),
      from: constantFrom(...people),
      verified: constantFrom(true, null, false),
      names: constantFrom(
        'nothing',
        'address',
        'signedId',
        'storedId',
        'storedId',
        'forgedAddress',
        'forgedId',
        'subject',
      ),
      which: nat(20),
    }),
  },
  {
    weight: 1,
    arbitrary: record({ type: constantFrom('reply' as const), to: constantFrom(...people), which: nat(20) }),
  },
)

interface ModelConversation {
  id: string
  customer: Person | null
  /** The participants, each with whether a mail of theirs was verified. */
  participants: Map<Person, boolean>
  /** People to whom the team wrote. */
  recipients: Set<Person>
  messageId: string
  rfcMessageId: string
}

type Mail = Extract<Action, { type: 'mail' }>

/** Returns the conversation that a mail belongs to; undefined for a new one. */
function joined(named: ModelConversation | undefined, { names, from, verified }: Mail) {
  if (names === 'address' || names === 'signedId') return named
  if (names !== 'storedId' || verified === false || named === undefined) return undefined
  return takesPart(named, from) ? named : undefined
}

function takesPart({ customer, participants, recipients }: ModelConversation, person: Person): boolean {
  return customer === person || participants.get(person) === true || recipients.has(person)
}

/** A mail with nothing in it that names a conversation. */
const plainFacts: MailFacts = {
  from: [],
  originalFrom: [],
  replyTo: [],
  forwardedFrom: null,
  to: [],
  cc: [],
  deliveredTo: [],
  subject: 'Broken lamp',
  messageId: null,
  inReplyTo: [],
  references: [],
  date: null,
  dateText: '',
  automated: false,
  noAutoReply: false,
  loopMarks: [],
  authenticationResults: null,
  bounce: null,
  content: 'Hi',
  contentType: 'text',
  truncated: false,
  files: [],
}

const otherEnd = (text: string) => `${text.slice(0, -2)}${text.endsWith('aa') ? 'bb' : 'aa'}`

/** Returns the facts by which a mail names a conversation. */
function namingFacts(named: ModelConversation, { names }: Mail): Partial<MailFacts> {
  const tag = tags.addressTag(named.id)
  const signedId = tags.messageIdTag(named.messageId)
  const plus = (text: string) => inbox.address.replace('@', `+${text}@`)
  const byName: Record<Mail['names'], Partial<MailFacts>> = {
    nothing: {},
    address: { deliveredTo: [plus(tag)] },
    signedId: { references: ['x@y.test', `${signedId}@acme.test`] },
    storedId: { inReplyTo: [named.rfcMessageId] },
    forgedAddress: { deliveredTo: [plus(otherEnd(tag))] },
    forgedId: { inReplyTo: [`${otherEnd(signedId)}@acme.test`] },
    subject: { subject: 'Re: Broken lamp' },
  }
  return byName[names]
}

/** Decides about a mail as the job does, and commits it; returns where it went. */
async function process(facts: MailFacts, verified: boolean | null) {
  const { store, inboxId } = inbox
  const { ids } = service.service
  const row = await store.inboxes.find(inboxId)
  const [from] = facts.from
  if (row === undefined || from === undefined) throw new Error('The inbox or the sender is missing')
  const now = new Date().toISOString()
  const planned = await planMessage({
    made: undefined,
    store,
    tags,
    inbox: row,
    mail: { inboxId, envelope: { from: null, to: [] }, receivedAt: now },
    facts,
    quotations: async () => [],
    isOwnAddress: false,
    verified,
    domain: undefined,
    tenantLimits: undefined,
    services: {
      secrets,
      mail: { relay: undefined, domain: undefined, smtpDoor: null, hasLinks: false, baseUrl: undefined },
    },
    ids,
    now,
    roundRobin: createRoundRobin(),
    from,
    attachments: { content: facts.content, shown: [], writesFor: () => [] },
  })
  const { conversationId, messageId, change } = planned
  const mail: InboundMailRecord = {
    _id: ids.next('mail'),
    tenantId: store.tenantId,
    inboxId,
    door: 'http',
    status: 'processed',
    reason: null,
    envelope: { from: null, to: [] },
    from: from.address,
    subject: facts.subject,
    rfcMessageId: facts.messageId,
    sizeBytes: 1,
    conversationId,
    messageId,
    error: null,
    receivedAt: now,
    processedAt: now,
    rawDeletedAt: null,
    attachmentId: 'att_none',
    dedupKey: randomUUID(),
    dueAt: null,
    tries: 0,
    createdAt: now,
    updatedAt: now,
  }
  await store.commit({
    ...change,
    writes: [...change.writes, { op: 'insert', kind: 'inboundMails', row: mail }],
  })
  return { conversationId, messageId }
}

async function receive(conversations: ModelConversation[], mail: Mail): Promise<void> {
  const { from, verified, which } = mail
  const named = conversations.length === 0 ? undefined : conversations[which % conversations.length]
  const rfcMessageId = `${randomUUID()}@example.com`
  const sender = { from: [{ address: from, name: null }], messageId: rfcMessageId }
  const facts = { ...plainFacts, ...sender, ...(named && namingFacts(named, mail)) }
  const { conversationId, messageId } = await process(facts, verified)
  const expected = joined(named, mail)
  if (expected !== undefined) {
    expect(conversationId).toBe(expected.id)
    const isVerified = verified === true && expected.customer !== from
    if (!takesPart(expected, from) || (expected.participants.has(from) && isVerified))
      expected.participants.set(from, expected.participants.get(from) === true || verified === true)
  } else {
    expect(conversations.map(({ id }) => id)).not.toContain(conversationId)
    const isForged = verified === false
    conversations.push({
      id: conversationId,
      customer: isForged ? null : from,
      participants: new Map(isForged ? [[from, false]] : []),
      recipients: new Set(),
      messageId,
      rfcMessageId,
    })
  }
  const known = expected ?? conversations.at(-1)
  const { participants, customerId } = (await inbox.store.conversations.find(conversationId)) ?? {}
  const shown = participants?.map(({ address, verified: isVerified }) => [address, isVerified === true])
  expect(shown).toEqual([...(known?.participants ?? [])])
  const customer = await inbox.store.customers.find(customerId ?? '')
  expect(customer?.profile.email ?? null).toBe(known?.customer)
}

test('a mail joins the conversation that its signed address, signed id or own thread names, and no other one', async () => {
  await runModel<Action>({
    name: 'threads of mail',
    action,
    runForMs: 6_000,
    async walk(actions) {
      const conversations: ModelConversation[] = []
      for (const step of actions) {
        if (step.type === 'mail') await receive(conversations, step)
        else if (conversations.length > 0) {
          const of = conversations[step.which % conversations.length]
          await inbox.reply(of?.id, { to: [step.to] })
          of?.recipients.add(step.to)
        }
      }
    },
  })
})
