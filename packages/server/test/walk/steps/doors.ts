import assert from 'node:assert/strict'
import { packageOf } from '../../support/package-of.ts'
import type { Conversation, Customer, Imported, Message, Row } from '../model.ts'
import { maybe, pickName, stepKind } from '../step-kind.ts'
import { type Body, NothingToDo, type Walker } from '../walker.ts'
import {
  added,
  expectConversation,
  isMailed,
  newConversation,
  shown as shownConversation,
} from './conversations.ts'
import { newCustomer, shown as shownCustomer } from './customers.ts'

const path = '/api/v1'
const integrations = '/api/extcrm/integrations'

const owner = { as: 'owner' } as const

export async function read(walker: Walker, at: string): Promise<Body> {
  return (await walker.expect(200, 'GET', `${path}${at}`, undefined, owner)).data
}

/** A customer whom a door has made: its fields are taken as they are, and held to from now on. */
export async function meet(walker: Walker, name: string, id: string): Promise<Customer> {
  walker.name(name, id)
  const data = await read(walker, `/customers/${id}`)
  const customer = newCustomer(name, shownCustomer(walker, data) as Partial<Customer>)
  walker.model.customers.set(name, customer)
  return customer
}

/** A conversation that a customer began at a door, with its one message. */
export async function begun(
  walker: Walker,
  id: string,
  n: number,
  said: Pick<Message, 'author' | 'content'>,
) {
  const name = `v${n}`
  walker.name(name, id)
  const data = await read(walker, `/conversations/${id}`)
  const { subject, channel, source } = shownConversation(walker, data)
  const given = { customer: said.author, subject, channel, source }
  walker.model.conversations.set(name, newConversation(name, given))
  walker.events.push(`conversation.created ${name}`)
  await wrote(walker, name, n, said)
  expectConversation(walker, data, name)
}

/** A message that a customer wrote at a door: the newest one of the conversation. */
export async function wrote(
  walker: Walker,
  conversation: string,
  n: number,
  said: Pick<Message, 'author' | 'content'>,
) {
  const at = `/conversations/${walker.id(conversation)}/messages?order=desc&limit=1`
  const [message] = await read(walker, at)
  walker.name(`m${n}`, message._id)
  walker.same(
    [message.content, walker.nameOf(message.sender._id), message.direction],
    [said.content, said.author, 'inbound'],
    `the message m${n} of a door`,
  )
  const kind = { type: 'reply', direction: 'inbound', status: message.status } as const
  added(walker, { name: `m${n}`, conversation, ...said, ...kind, isGone: false, at: message.createdAt })
}

interface Mail {
  /** Null: the mail names no sender. */
  from: string | null
  subject: string
  text: string
  inReplyTo?: string
}

export async function deliver(
  walker: Walker,
  n: number,
  { from, subject, text, inReplyTo }: Mail,
): Promise<Body> {
  const raw = [
    `From: ${from ?? 'undisclosed'}`,
    `To: ${walker.address}`,
    `Subject: ${subject}`,
    `Message-ID: <n${n}@people.test>`,
    `Date: ${new Date(walker.world.now()).toUTCString()}`,
    ...(inReplyTo === undefined ? [] : [`In-Reply-To: <${inReplyTo}@people.test>`]),
    '',
    text,
  ].join('\r\n')
  const { data } = await walker.expect(
    200,
    'POST',
    `${path}/inbound/email/${walker.inboundToken}`,
    undefined,
    {
      token: null,
      mail: raw,
    },
  )
  await walker.world.settle()
  return read(walker, `/inbound-mails/${data._id}`)
}

/** A customer with an address that is known to be theirs. */
export function withAddress(walker: Walker, name: string): { customer: Customer; address: string } {
  const customer = walker.model.customers.get(name)
  const address = customer?.profile.email
  if (!address || customer.isGone || walker.model.typed.has(address)) throw new NothingToDo(name)
  return { customer, address }
}

function takesPart({ model }: Walker, mail: string, sender: string | null): boolean {
  const conversation = model.mails.get(mail)?.conversation ?? ''
  if (sender === null) return false
  return (
    model.conversations.get(conversation)?.customer === sender ||
    [...model.messages.values()].some((one) => one.conversation === conversation && one.author === sender)
  )
}

export const doorSteps = {
  'mail.arrives': stepKind<{ from: string | null; about?: string | undefined }>({
    weight: 5,
    choose(choosing) {
      const { random, model } = choosing
      const some = new Map(
        [...model.customers].filter(([, one]) => one.profile.email !== null && !one.isGone),
      )
      const mails = [...model.mails.keys()]
      const about = mails.length === 0 ? undefined : maybe(random, 4, () => random.pick(mails))
      return { from: random.isOneIn(2) ? null : (pickName(choosing, some) ?? null), about }
    },
    async run(walker, { from, about }, n) {
      if (about !== undefined && takesPart(walker, about, from)) throw new NothingToDo(about)
      const known = from === null ? undefined : withAddress(walker, from)
      const name = from ?? `c${n}`
      const home = { customer: name }
      const address = known?.address ?? walker.text('p@people.test', home)
      // The words of somebody who is blocked are in no conversation.
      const ofWords = known?.customer.isBlocked ? home : { ...home, conversation: `v${n}` }
      const subject = walker.text('Mail', ofWords)
      const text = walker.text('Writes', ofWords)
      const displayed = walker.text('Mo', home)
      const mail = await deliver(walker, n, {
        from: `${displayed} <${address}>`,
        subject,
        text,
        // Somebody who knows the id of a mail of others is in no conversation with them.
        ...(about !== undefined && { inReplyTo: about }),
      })
      if (known?.customer.isBlocked) {
        return walker.same([mail.status, mail.reason], ['ignored', 'blocked'], 'a mail of a blocked customer')
      }
      walker.same([mail.status, mail.reason], ['processed', null], 'a mail')
      if (known === undefined) {
        const conversation = await read(walker, `/conversations/${mail.conversationId}`)
        const customer = await meet(walker, name, conversation.customerId._id)
        walker.same(customer.profile.email, address, 'the e-mail of a customer who wrote a mail')
        walker.events.push(`customer.created ${name}`)
      }
      walker.name(`n${n}`, mail._id)
      await begun(walker, mail.conversationId, n, { author: name, content: text })
      walker.model.mails.set(`n${n}`, { customer: name, conversation: `v${n}` })
    },
  }),

  'mail.responses': stepKind<{ mail: string }>({
    weight: 3,
    choose({ random, model }) {
      const mails = [...model.mails.keys()]
      return mails.length === 0 ? undefined : { mail: random.pick(mails) }
    },
    async run(walker, { mail: first }, n) {
      const { model } = walker
      const before = model.mails.get(first)
      const conversation = model.conversations.get(before?.conversation ?? '')
      if (before === undefined || conversation === undefined) throw new NothingToDo(first)
      const { customer, address } = withAddress(walker, before.customer)
      // Of somebody else's conversation the rules of the participants decide.
      if (customer.isBlocked || conversation.isGone || conversation.customer !== customer.name) {
        throw new NothingToDo(first)
      }
      const text = walker.text('Responses', { customer: customer.name, conversation: conversation.name })
      const mail = await deliver(walker, n, { from: address, subject: 'Re', text, inReplyTo: first })
      walker.same(
        walker.nameOf(mail.conversationId),
        conversation.name,
        'the conversation of a mail that replies',
      )
      await wrote(walker, conversation.name, n, { author: customer.name, content: text })
    },
  }),

  'mail.again': stepKind<{ mail: string }>({
    weight: 2,
    choose({ random, model }) {
      const mails = [...model.mails.keys()]
      return mails.length === 0 ? undefined : { mail: random.pick(mails) }
    },
    async run(walker, { mail }) {
      const message = walker.model.messages.get(mail.replace('n', 'm'))
      if (message === undefined) throw new NothingToDo(mail)
      const at = `${path}/inbound-mails/${walker.id(mail)}`
      const raw = await walker.expect(message.isGone ? 404 : 200, 'GET', `${at}/raw`, undefined, owner)
      if (!message.isGone) walker.same(raw.includes(message.content), true, `the bytes of ${mail}`)
      // Only a parked mail is read once more.
      await walker.expect(message.isGone ? 404 : 409, 'POST', `${at}/process-again`, {}, owner)
    },
  }),

  'widget.begins': stepKind<object>({
    weight: 3,
    choose: () => ({}),
    async run(walker, _given, n) {
      const name = `c${n}`
      const home = { customer: name }
      const profile = {
        firstName: walker.text('Vera', home),
        email: walker.text('w@people.test', home),
      }
      const session = { key: walker.widgetKey, profile }
      const opened = await walker.expect(201, 'POST', `${path}/widget/sessions`, session, { token: null })
      const token: string = opened.data.sessionToken
      walker.keep(`s${n}`, token)
      walker.model.typed.add(profile.email)
      const message = walker.text('Asks', { customer: name, conversation: `v${n}` })
      const body = { message, clientMessageId: `visit-${n}` }
      const { data } = await walker.expect(201, 'POST', `${path}/widget/conversations`, body, { token })
      const conversation = await read(walker, `/conversations/${data._id}`)
      const customer = await meet(walker, name, conversation.customerId._id)
      walker.same(customer.profile.firstName, profile.firstName, 'the name of a visitor')
      walker.events.push(`customer.created ${name}`)
      await begun(walker, data._id, n, { author: name, content: message })
      walker.model.visitors.set(`s${n}`, { customer: name, conversation: `v${n}`, isGone: false })
    },
  }),

  'widget.writes': stepKind<{ visitor: string }>({
    weight: 3,
    choose({ random, model }) {
      const visitors = [...model.visitors.keys()]
      return visitors.length === 0 ? undefined : { visitor: random.pick(visitors) }
    },
    async run(walker, { visitor: name }, n) {
      const { model } = walker
      const visitor = model.visitors.get(name)
      if (visitor === undefined) throw new NothingToDo(name)
      const { conversation: at } = visitor
      const conversation = model.conversations.get(at)
      if (conversation === undefined) throw new NothingToDo(at)
      // Of a conversation that the team gave to somebody else, the visitor who began it still writes in it, as that customer.
      const author = conversation.customer ?? visitor.customer
      const content = walker.text('Adds', { customer: author, conversation: at })
      const body = { content, clientMessageId: `visit-${n}` }
      const asked = { token: walker.secret(name) }
      const messages = `${path}/widget/conversations/${walker.id(at)}/messages`
      if (visitor.isGone) return void (await walker.expect(401, 'POST', messages, body, asked))
      if (conversation.isGone) return void (await walker.expect(404, 'POST', messages, body, asked))
      const isBlocked = model.customers.get(author)?.isBlocked
      if (isBlocked) return void (await walker.expect(409, 'POST', messages, body, asked))
      await walker.expect(201, 'POST', messages, body, asked)
      await wrote(walker, at, n, { author, content })
    },
  }),

  'imports.file': stepKind<{ known: string | null }>({
    weight: 2,
    choose(choosing) {
      const { random, model } = choosing
      const some = new Map(
        [...model.customers].filter(([, one]) => one.profile.email !== null && !one.isGone),
      )
      return { known: random.isOneIn(2) ? null : (pickName(choosing, some) ?? null) }
    },
    async run(walker, { known }, n) {
      const joins = known === null ? undefined : withAddress(walker, known)
      const made = await walker.expect(201, 'POST', integrations, { provider: 'file', name: `g${n}` }, owner)
      walker.name(`g${n}`, made.data._id)
      const records = ['a', 'b'].map((record) => ({
        record,
        first: walker.text('Eve', { customer: `c${n}${record}` }),
        address: walker.text('i@people.test', { customer: `c${n}${record}` }),
      }))
      if (joins) {
        const first = walker.text('Joins', { customer: joins.customer.name })
        records.push({ record: 'j', first, address: joins.address })
      }
      const lines = records.map(({ record, first, address }) => `${record},${first},${address}`)
      const file = new File([['Id,First Name,Email', ...lines].join('\n')], 'people.csv')
      const form = { module: 'Contacts', file }
      const at = `${integrations}/${made.data._id}`
      await walker.expect(201, 'POST', `${at}/files`, undefined, { ...owner, form })
      newImported(walker, `g${n}`, { provider: 'file', source: `file:${made.data._id}` })
      if (joins) imported(walker, `g${n}`).people.set('j', joins.customer.name)
      await runImport(walker, `g${n}`, n)
    },
  }),

  'imports.again': stepKind<{ integration: string }>({
    weight: 2,
    choose({ random, model }) {
      const all = [...model.imports.keys()]
      return all.length === 0 ? undefined : { integration: random.pick(all) }
    },
    async run(walker, { integration }, n) {
      const found = imported(walker, integration)
      if (found.hasFile) return runImport(walker, integration, n)
      const at = `${integrations}/${walker.id(integration)}`
      await walker.expect(422, 'POST', `${at}/import`, {}, owner)
    },
  }),

  'imports.undo': stepKind<{ integration: string }>({
    weight: 1,
    choose({ random, model }) {
      const all = [...model.imports].filter(([, { isUndone }]) => !isUndone).map(([name]) => name)
      return all.length === 0 ? undefined : { integration: random.pick(all) }
    },
    async run(walker, { integration }) {
      const found = imported(walker, integration)
      if (found.isUndone) throw new NothingToDo(integration)
      const at = `${integrations}/${walker.id(integration)}`
      const response = await walker.ask('POST', `${at}/imports/${found.run}/undo`, {}, owner)
      walker.same(response.status, 202, `the undo of ${integration}: ${JSON.stringify(response.body)}`)
      await finished(walker, at)
      found.isUndone = true
      await meetAgain(walker, { integration, mayRemove: true })
    },
  }),

  'imports.package': stepKind<object>({
    weight: 1,
    choose: () => ({}),
    async run(walker, _given, n) {
      const made = await walker.expect(
        201,
        'POST',
        integrations,
        { provider: 'package', name: `g${n}` },
        owner,
      )
      walker.name(`g${n}`, made.data._id)
      const people = ['a', 'b'].map((id) => ({
        id,
        firstName: walker.text('Pax', { customer: `c${n}${id}` }),
        emails: [{ address: walker.text('p@people.test', { customer: `c${n}${id}` }) }],
      }))
      const account = `g${n}`
      const at = `${integrations}/${made.data._id}/package`
      for (const [name, bytes] of await packageOf({ records: { people }, account })) {
        const form = { file: new File([bytes], 'bytes') }
        await walker.expect(201, 'PUT', `${at}/${name}`, undefined, { ...owner, form })
        await walker.expect(200, 'PUT', `${at}/${name}`, undefined, { ...owner, form })
      }
      newImported(walker, `g${n}`, { provider: 'package', source: `package:zendesk:${account}` })
      await runImport(walker, `g${n}`, n)
    },
  }),

  'imports.deleteFile': stepKind<{ integration: string }>({
    weight: 1,
    choose({ random, model }) {
      const all = [...model.imports.keys()]
      return all.length === 0 ? undefined : { integration: random.pick(all) }
    },
    async run(walker, { integration }) {
      const found = imported(walker, integration)
      const at = `${integrations}/${walker.id(integration)}`
      if (found.provider === 'package') await walker.expect(200, 'DELETE', `${at}/package`, undefined, owner)
      else if (found.hasFile) {
        const [{ _id }] = (await walker.expect(200, 'GET', `${at}/files`, undefined, owner)).data
        await walker.expect(200, 'DELETE', `${at}/files/${_id}`, undefined, owner)
        await walker.expect(404, 'GET', `${at}/files/${_id}`, undefined, owner)
      }
      found.hasFile = false
    },
  }),

  'imports.look': stepKind<{ integration: string; isRenamed: boolean; isDeleted: boolean }>({
    weight: 2,
    choose({ random, model }) {
      const all = [...model.imports.keys()]
      if (all.length === 0) return undefined
      return { integration: random.pick(all), isRenamed: random.isOneIn(3), isDeleted: random.isOneIn(6) }
    },
    async run(walker, { integration, isRenamed, isDeleted }, n) {
      const found = imported(walker, integration)
      const at = `${integrations}/${walker.id(integration)}`
      const run = `${at}/imports/${found.run}`
      const isOfFile = found.provider === 'file'
      const shownRun = await walker.expect(200, 'GET', run, undefined, owner)
      walker.same(shownRun.data.status, 'completed', `the run of ${integration}`)
      const errors = await walker.expect(200, 'GET', `${run}/errors?limit=50`, undefined, owner)
      walker.same(
        errors.data.filter(({ severity }: Body) => severity === 'error'),
        [],
        `the errors of ${integration}`,
      )
      await walker.expect(200, 'GET', `${run}/errors/export`, undefined, owner)
      const rejected = !isOfFile ? 404 : found.hasFile ? 200 : 410
      await walker.expect(rejected, 'GET', `${run}/rejected`, undefined, owner)
      await walker.expect(isOfFile ? 409 : 200, 'GET', `${run}/count-sheet`, undefined, owner)
      if (isOfFile) await lookAtFile(walker, at, { hasFile: found.hasFile, isReread: isRenamed })
      else {
        const { data } = await walker.expect(200, 'GET', `${at}/package`, undefined, owner)
        walker.same(data.complete, found.hasFile, `the package of ${integration}`)
      }
      const handedOver = await walker.expect(isOfFile ? 409 : 200, 'POST', `${at}/handover`, {}, owner)
      if (!isOfFile) walker.same(handedOver.data.handover, 'done', `the hand-over of ${integration}`)
      await walker.expect(409, 'POST', `${run}/retry`, {}, owner)
      await walker.expect(409, 'POST', `${at}/import/cancel`, {}, owner)
      if (isRenamed) {
        const { data } = await walker.expect(200, 'PUT', at, { name: `Again ${n}` }, owner)
        walker.same(data.name, `Again ${n}`, `the name of ${integration}`)
      }
      if (!isDeleted) return
      await walker.expect(200, 'DELETE', at, undefined, owner)
      await walker.expect(404, 'GET', at, undefined, owner)
      walker.model.imports.delete(integration)
    },
  }),

  'calls.create': stepKind<{ conversation: string | null; customer: string | null }>({
    weight: 3,
    choose(choosing) {
      const { model } = choosing
      return {
        conversation: pickName(choosing, model.conversations) ?? null,
        customer: pickName(choosing, model.customers) ?? null,
      }
    },
    async run(walker, { conversation, customer }, n) {
      const { model } = walker
      const name = `p${n}`
      const body = {
        to: `+1555${String(1_000_000 + n)}`,
        customerId: walker.idOrNull(customer),
        conversationId: walker.idOrNull(conversation),
      }
      const isGone =
        model.customers.get(customer ?? '')?.isGone || model.conversations.get(conversation ?? '')?.isGone
      if (isGone) return void (await walker.expect(422, 'POST', '/api/telephony/calls', body, owner))
      const { data } = await walker.expect(201, 'POST', '/api/telephony/calls', body, owner)
      walker.name(name, data._id)
      model.calls.set(name, { name, fields: {}, customer, conversation, isGone: false })
      walker.events.push(`call.initiated ${name}`)
      const notes = { notes: walker.text('Notes', { customer }) }
      await walker.expect(200, 'PATCH', `/api/telephony/calls/${data._id}/metadata`, notes, owner)
    },
  }),

  'calls.get': stepKind<{ call: string }>({
    weight: 2,
    choose(choosing) {
      const name = pickName(choosing, choosing.model.calls)
      return name && { call: name }
    },
    async run(walker, { call: name }) {
      const known = walker.model.calls.get(name)
      const at = `/api/telephony/calls/${walker.id(name)}`
      const body = await walker.expect(known?.isGone ? 404 : 200, 'GET', at, undefined, owner)
      if (known?.isGone) return
      walker.same(
        [walker.nameOf(body.data.customerId), walker.nameOf(body.data.conversationId)],
        [known?.customer, known?.conversation],
        `the call ${name}`,
      )
    },
  }),

  'drafts.save': stepKind<{ conversation: string; isDiscarded: boolean }>({
    weight: 4,
    choose(choosing) {
      const conversation = pickName(choosing, choosing.model.conversations)
      return conversation && { conversation, isDiscarded: choosing.random.isOneIn(4) }
    },
    async run(walker, { conversation, isDiscarded }, n) {
      const { model } = walker
      const isGone = model.conversations.get(conversation)?.isGone
      const at = `${path}/conversations/${walker.id(conversation)}/draft`
      const content = walker.text('Draft', { conversation: isGone ? null : conversation })
      const saved = await walker.expect(isGone ? 404 : 200, 'PUT', at, { content }, owner)
      if (isGone) return
      walker.same(saved.data.content, content, `the draft of ${conversation}`)
      const known = model.alive(model.drafts).find(({ fields }) => fields['conversation'] === conversation)
      const name = known?.name ?? `d${n}`
      if (known) walker.same(walker.nameOf(saved.data._id), name, `the draft of ${conversation}`)
      else walker.name(name, saved.data._id)
      model.drafts.set(name, { name, fields: { conversation, content }, isGone: isDiscarded })
      if (!isDiscarded) return
      await walker.expect(200, 'DELETE', at, undefined, owner)
      const none = await walker.expect(200, 'GET', at, undefined, owner)
      walker.same(none.data, null, 'a discarded draft')
    },
  }),

  'drafts.plan': stepKind<{ conversation: string; minutes: number }>({
    weight: 3,
    choose(choosing) {
      const conversation = pickName(choosing, choosing.model.conversations)
      return conversation && { conversation, minutes: choosing.random.pick([1, 5, 90]) }
    },
    async run(walker, { conversation, minutes }, n) {
      const { model } = walker
      const known = model.conversations.get(conversation)
      if (known?.isGone || isMailed(walker, conversation)) throw new NothingToDo(conversation)
      const at = `${path}/conversations/${walker.id(conversation)}/draft`
      const content = walker.text('Planned', { conversation })
      const dueMs = walker.world.now() + minutes * 60_000
      const sendAt = new Date(dueMs).toISOString()
      const { data } = await walker.expect(200, 'PUT', at, { content, sendAt }, owner)
      walker.same([data.sendAt, data.sendError], [sendAt, null], `the planned draft of ${conversation}`)
      const before = model.alive(model.drafts).find(({ fields }) => fields['conversation'] === conversation)
      const name = before?.name ?? `d${n}`
      if (before === undefined) walker.name(name, data._id)
      const seen = basisOf(walker, conversation)
      model.drafts.set(name, { name, fields: { conversation, content, dueMs, seen }, isGone: false })
    },
  }),

  'drafts.end': stepKind<{ draft: string; isSent: boolean; as: 'owner' | 'agent' }>({
    weight: 3,
    choose(choosing) {
      const draft = pickName(choosing, choosing.model.drafts)
      const { random } = choosing
      return draft && { draft, isSent: random.isOneIn(2), as: random.pick(['owner', 'agent']) }
    },
    async run(walker, { draft: name, isSent, as }, n) {
      const draft = walker.model.drafts.get(name)
      const conversation = String(draft?.fields['conversation'])
      const at = `${path}/conversations/${walker.id(conversation)}/drafts/${walker.id(name)}`
      if (draft === undefined) throw new NothingToDo(name)
      if (draft.fields['isSent'] === true || isMailed(walker, conversation)) return
      if (!isSent) {
        const status = draft.isGone ? 404 : as === 'agent' ? 403 : 200
        await walker.expect(status, 'DELETE', at, undefined, { as })
        if (status === 200) draft.isGone = true
        return
      }
      const response = await walker.ask('POST', `${at}/send`, {}, { as })
      // The customer is another one than the one for whom it was written.
      if (!draft.isGone && response.status === 409) return walker.same(response.body.code, 'CONFLICT', name)
      walker.same(response.status, draft.isGone ? 404 : 201, `${name}: ${JSON.stringify(response.body)}`)
      if (draft.isGone) return
      walker.name(`m${n}`, response.body.data._id)
      const content = String(draft.fields['content'])
      const kind = { type: 'reply', direction: 'outbound', status: 'sent', author: null } as const
      const writer = `u-${as}`
      added(walker, { name: `m${n}`, conversation, content, ...kind, isGone: false, writer })
      draft.isGone = true
      draft.fields['isSent'] = true
    },
  }),
}

/** Drafts whose time has come are sent, unless somebody has written meanwhile or the customer is another one. */
export async function sendPlanned(walker: Walker): Promise<void> {
  for (const draft of dueDrafts(walker)) {
    const { conversation, content, seen } = draft.fields as Record<
      'conversation' | 'content' | 'seen',
      string
    >
    draft.fields['dueMs'] = undefined
    const shown = await read(walker, `/conversations/${walker.id(conversation)}/draft`)
    if (shown !== null) {
      const now = basisOf(walker, conversation)
      walker.same([shown.sendAt, now !== seen], [null, true], `${draft.name}: ${shown.sendError}, ${now}`)
      continue
    }
    const [message] = await read(
      walker,
      `/conversations/${walker.id(conversation)}/messages?order=desc&limit=1`,
    )
    const name = `m-${draft.name}-${walker.stepNumber}`
    walker.same(message.content, content, `the message of ${draft.name}`)
    walker.name(name, message._id)
    const kind = { type: 'reply', direction: 'outbound', status: 'sent', author: null } as const
    added(walker, { name, conversation, content, ...kind, isGone: false, writer: 'u-owner' })
    draft.isGone = true
    draft.fields['isSent'] = true
  }
}

/** Returns all that keeps a planned draft back when it has changed: what was written since, and to whom and how a reply leaves. */
function basisOf({ model }: Walker, conversation: string): string {
  const { seq, customer, inbox } = model.conversations.get(conversation) as Conversation
  const email = model.customers.get(customer ?? '')?.profile.email
  const hasWebhook = model.alive(model.webhooks).some(({ fields }) => fields['isActive'])
  return JSON.stringify({ seq, customer, email, inbox, hasWebhook })
}

export function dueDrafts({ model, world }: Walker): Row[] {
  const isDue = ({ fields }: Row) => Number(fields['dueMs'] ?? Number.POSITIVE_INFINITY) <= world.now()
  return model.alive(model.drafts).filter(isDue)
}

/** Waits for the run of an integration, or for its undo. */
async function finished(walker: Walker, at: string): Promise<Body> {
  for (let tries = 0; ; tries++) {
    await walker.world.settle()
    const found = await walker.quietly(`${at}/import/status`)
    if (/^(idle|failed)$/.test(found.syncStatus)) return found.run
    assert.ok(tries < 2_000, 'an import does not end')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

function newImported(
  { model }: Walker,
  name: string,
  { provider, source }: Pick<Imported, 'provider' | 'source'>,
): void {
  model.imports.set(name, { provider, source, run: '', isUndone: false, hasFile: true, people: new Map() })
}

function imported(walker: Walker, name: string): Imported {
  const found = walker.model.imports.get(name)
  if (found === undefined) throw new NothingToDo(name)
  return found
}

/** The rows of people who were erased are counted no more when a file is read again. */
function withoutFilled({ filled: _filled, ...column }: Body): Body {
  return column
}

/** Looks at the uploaded file of an integration. Nobody in its samples was erased: each response is searched for that. */
async function lookAtFile(
  walker: Walker,
  at: string,
  { hasFile, isReread }: { hasFile: boolean; isReread: boolean },
): Promise<void> {
  const { data: files } = await walker.expect(200, 'GET', `${at}/files`, undefined, owner)
  walker.same(files.length, hasFile ? 1 : 0, 'the files of an integration')
  for (const { _id } of files) {
    const { data } = await walker.expect(200, 'GET', `${at}/files/${_id}`, undefined, owner)
    const body = isReread ? { headerRow: 1, encoding: null } : {}
    const again = await walker.expect(200, 'PUT', `${at}/files/${_id}`, body, owner)
    const [before, after] = [data, again.data].map(({ columns }) => columns.map(withoutFilled))
    walker.same(after, before, 'the columns of a file that is read again')
  }
}

/** Runs an import of all its rows again: who is known is found, who was erased stays away. */
async function runImport(walker: Walker, integration: string, n: number): Promise<void> {
  const at = `${integrations}/${walker.id(integration)}`
  await walker.expect(202, 'POST', `${at}/import`, {}, owner)
  const run = await finished(walker, at)
  const found = imported(walker, integration)
  walker.same(run.status, 'completed', `the import ${integration}`)
  const mayDouble = found.isUndone
  found.run = run._id
  found.isUndone = false
  await meetAgain(walker, { integration, n, mayRemove: false, mayDouble })
}

interface Meeting {
  integration: string
  n?: number
  mayRemove: boolean
  /** After an undo a row finds its person by the address alone, which may be a former one by now: that is somebody new. */
  mayDouble?: boolean
}

/** Reads every customer of an integration: an import sends no events, and says nothing else about them. */
async function meetAgain(
  walker: Walker,
  { integration, n, mayRemove, mayDouble = false }: Meeting,
): Promise<void> {
  const { model } = walker
  const found = imported(walker, integration)
  const prefix = `${found.source}:`
  const rows = await walker.all(`${path}/customers`, 100, owner)
  for (const row of rows) {
    const records: string[] = row.externalIds.filter((id: string) => id.startsWith(prefix))
    let name = walker.isNamedId(row._id) ? (walker.nameOf(row._id) ?? '') : undefined
    if (name === undefined) {
      const [record = ''] = records.map((id) => id.slice(id.lastIndexOf(':') + 1))
      const earlier = found.people.get(record)
      const isErased = earlier !== undefined && walker.model.wasErased.has(earlier)
      assert.ok(!isErased, `the import ${integration} brought ${earlier} back, who was erased`)
      const isThere = earlier !== undefined && !model.customers.get(earlier)?.isGone
      assert.ok(!isThere || mayDouble, `the import ${integration} made a second ${earlier}`)
      name = `c${n}${record}`
      found.people.set(record, name)
    }
    if (records.length > 0 || name.startsWith('c')) keepValues(walker, name, row)
    await meet(walker, name, row._id)
  }
  const seen = new Set(rows.map((row) => walker.nameOf(row._id)))
  for (const customer of model.alive(model.customers)) {
    if (seen.has(customer.name)) continue
    const isOfRun = [...found.people.values()].includes(customer.name)
    const isUsed = model.alive(model.conversations).some((one) => one.customer === customer.name)
    assert.ok(mayRemove && isOfRun && !isUsed, `${customer.name} is deleted after ${integration}`)
    customer.isGone = true
  }
}

/** An import fills what is blank, and leaves what somebody has written. */
function keepValues(walker: Walker, name: string, row: Body): void {
  const before = walker.model.customers.get(name)
  if (before === undefined || before.isGone) return
  const after = shownCustomer(walker, row)
  walker.same(after.isBlocked, before.isBlocked, `the block of ${name} after an import`)
  walker.same([after.tier, after.status, after.tags], [before.tier, before.status, before.tags], name)
}
