import assert from 'node:assert/strict'
import type { Message } from '../model.ts'
import { pickName, stepKind } from '../step-kind.ts'
import { type Body, NothingToDo, type Walker } from '../walker.ts'
import { added, mailInbox, newConversation } from './conversations.ts'
import { begun, deliver, meet, read, withAddress } from './doors.ts'

const path = '/api/v1'
const owner = { as: 'owner' } as const

/** Returns a parked mail with its state: it is deleted with the conversation that was made of it. */
function parkedMail({ model }: Walker, name: string) {
  const mail = model.parked.get(name)
  if (mail === undefined) throw new NothingToDo(name)
  const message = model.messages.get(String(mail.fields['message']))
  return { mail, state: message?.isGone ? 'gone' : String(mail.fields['state']) }
}

export const mailSteps = {
  'mails.park': stepKind<object>({
    weight: 1,
    choose: () => ({}),
    async run(walker, _given, n) {
      const mail = await deliver(walker, n, {
        from: null,
        subject: walker.text('Nobody', {}),
        text: walker.text('Says nobody', {}),
      })
      walker.same([mail.status, mail.reason], ['parked', 'no_sender'], 'a mail without a sender')
      const name = `n${n}`
      walker.name(name, mail._id)
      walker.model.parked.set(name, { name, fields: { state: 'parked' }, isGone: false })
      walker.events.push(`mail.parked ${name}`)
    },
  }),

  'mails.discard': stepKind<{ mail: string; isReadAgain: boolean }>({
    weight: 1,
    choose(choosing) {
      const mail = pickName(choosing, choosing.model.parked)
      return mail && { mail, isReadAgain: choosing.random.isOneIn(2) }
    },
    async run(walker, { mail: name, isReadAgain }) {
      const { mail, state } = parkedMail(walker, name)
      const at = `${path}/inbound-mails/${walker.id(name)}`
      const status = state === 'gone' ? 404 : state === 'made' ? 409 : 200
      const { data } = await walker.expect(status, 'POST', `${at}/discard`, {}, owner)
      if (status !== 200) return
      walker.same([data.status, data.reason], ['ignored', 'discarded'], `the discarded ${name}`)
      mail.fields['state'] = 'discarded'
      if (!isReadAgain) return
      await walker.expect(200, 'POST', `${at}/process-again`, {}, owner)
      await walker.world.settle()
      const again = await read(walker, `/inbound-mails/${walker.id(name)}`)
      walker.same([again.status, again.reason], ['parked', 'no_sender'], `${name}, read once more`)
      mail.fields['state'] = 'parked'
      walker.events.push(`mail.parked ${name}`)
    },
  }),

  'mails.makeConversation': stepKind<{ mail: string; from: string | null }>({
    weight: 2,
    choose(choosing) {
      const { random, model } = choosing
      const mail = pickName(choosing, model.parked)
      const some = new Map(
        [...model.customers].filter(([, one]) => one.profile.email !== null && !one.isGone),
      )
      return mail && { mail, from: random.isOneIn(2) ? null : (pickName(choosing, some) ?? null) }
    },
    async run(walker, { mail: name, from }, n) {
      const { mail, state } = parkedMail(walker, name)
      const at = `${path}/inbound-mails/${walker.id(name)}/make-conversation`
      const known = from === null ? undefined : withAddress(walker, from)
      const customer = from ?? `c${n}`
      const address = known?.address ?? walker.text('made@people.test', { customer })
      const body = { sender: { address } }
      const status = state === 'gone' ? 404 : state === 'discarded' ? 409 : state === 'made' ? 200 : 201
      const { data } = await walker.expect(status, 'POST', at, body, owner)
      if (status !== 201) {
        walker.forgetRefused(body)
        if (status === 200)
          walker.same(walker.nameOf(data._id), mail.fields['conversation'], `the conversation of ${name}`)
        return
      }
      await walker.world.settle()
      const { customerId } = await read(walker, `/conversations/${data._id}`)
      if (known === undefined) {
        await meet(walker, customer, customerId._id)
        walker.events.push(`customer.created ${customer}`)
      }
      walker.adopt(name, { customer, conversation: `v${n}` })
      const [message] = await walker.all(`${path}/conversations/${data._id}/messages`)
      await begun(walker, data._id, n, { author: customer, content: message.content })
      // The conversation was there before its author was known.
      walker.events.push(`conversation.updated v${n}`)
      Object.assign(mail.fields, { state: 'made', conversation: `v${n}`, message: `m${n}` })
    },
  }),

  'mails.send': stepKind<{ to: string }>({
    weight: 3,
    choose(choosing) {
      const { model } = choosing
      const some = new Map(
        [...model.customers].filter(([, one]) => one.profile.email !== null && !one.isGone),
      )
      const to = pickName(choosing, some)
      return to && { to }
    },
    async run(walker, { to }, n) {
      const { model } = walker
      const { address } = withAddress(walker, to)
      const [name, home] = [`v${n}`, { customer: null, conversation: `v${n}` }]
      const subject = walker.text('Mailed lamp', home)
      const body = { subject, inboxId: walker.id(mailInbox), customerId: walker.id(to) }
      const { data } = await walker.expect(201, 'POST', `${path}/conversations`, body, owner)
      walker.name(name, data._id)
      model.conversations.set(name, newConversation(name, { subject, customer: to, inbox: mailInbox }))
      walker.events.push(`conversation.created ${name}`)
      const content = walker.text('Mails', home)
      const at = `${path}/conversations/${data._id}/messages`
      const sent = await walker.expect(201, 'POST', at, { content }, owner)
      walker.name(`m${n}`, sent.data._id)
      const isSuppressed = model.alive(model.suppressed).some(({ fields }) => fields['address'] === address)
      await left(walker, sent.data._id)
      const shown = await read(walker, `/messages/${sent.data._id}`)
      const status = isSuppressed ? 'failed' : 'sent'
      walker.same(
        [shown.status, ...shown.recipients.map((one: Body) => [one.address, one.status])],
        [status, [address, isSuppressed ? 'suppressed' : 'sent']],
        `the mail m${n}`,
      )
      const kind = { type: 'reply', direction: 'outbound', author: null, status } as const
      const mail = { ...kind, mailedTo: address, writer: 'u-owner' }
      added(walker, { name: `m${n}`, conversation: name, content, ...mail, isGone: false })
      if (!isSuppressed) walker.events.push(`message.updated m${n}`)
    },
  }),

  'mails.report': stepKind<{ message: string; isBounce: boolean }>({
    weight: 3,
    choose(choosing) {
      const { random, model } = choosing
      const mailed = new Map([...model.messages].filter(([, one]) => one.mailedTo !== undefined))
      const message = pickName(choosing, mailed)
      return message && { message, isBounce: random.isOneIn(2) }
    },
    async run(walker, { message: name, isBounce }, n) {
      const { model } = walker
      const message = model.messages.get(name) as Message
      // A report names the mail as the message does.
      if (message.isGone || message.status !== 'sent') throw new NothingToDo(name)
      const { email } = await read(walker, `/messages/${walker.id(name)}`)
      const about = { Metadata: { crmkit: String(email.messageId).replace(/@.*/, '') } }
      const report = isBounce
        ? { RecordType: 'Bounce', Type: 'HardBounce', Email: message.mailedTo, Details: '5.1.1', ...about }
        : { RecordType: 'Delivery', Recipient: message.mailedTo, ...about }
      const asked = { token: null }
      const at = `${path}/inbound/events/${walker.eventsToken}`
      const { data } = await walker.expect(200, 'POST', at, report, asked)
      // The mail of a person who was erased names nobody any more, also where the conversation is somebody else's by now.
      const isErased = walker.isErasedText(message.mailedTo ?? '')
      const counts = isErased ? { accepted: 0, ignored: 1 } : { accepted: 1, ignored: 0 }
      walker.same(data, counts, `the report about ${name}`)
      if (isErased) return
      message.status = isBounce ? 'failed' : 'delivered'
      walker.events.push(`message.updated ${name}`)
      if (!isBounce) return
      const [row] = (await walker.expect(200, 'GET', suppressedAt(message.mailedTo), undefined, owner)).data
      walker.same(row.address, message.mailedTo, 'the suppressed address')
      if (walker.isNamedId(row._id)) return
      const fields = { address: message.mailedTo }
      walker.name(`x${n}`, row._id)
      model.suppressed.set(`x${n}`, { name: `x${n}`, fields, isGone: false })
    },
  }),

  'mails.release': stepKind<{ inbox: string; as: 'owner' | 'agent' }>({
    weight: 1,
    choose(choosing) {
      const inbox = pickName(choosing, choosing.model.inboxes)
      return inbox && { inbox, as: choosing.random.pick(['owner', 'owner', 'agent']) }
    },
    async run(walker, { inbox: name, as }) {
      const { model } = walker
      const at = `${path}/inboxes/${walker.id(name)}`
      const isGone = model.inboxes.get(name)?.isGone
      const status = as === 'agent' ? 403 : isGone ? 404 : 200
      await walker.expect(status, 'POST', `${at}/release-mail`, {}, { as })
    },
  }),

  'suppressedAddresses.delete': stepKind<{ suppressed: string; as: 'owner' | 'agent' }>({
    weight: 1,
    choose(choosing) {
      const suppressed = pickName(choosing, choosing.model.suppressed)
      return suppressed && { suppressed, as: choosing.random.pick(['owner', 'owner', 'agent']) }
    },
    async run(walker, { suppressed: name, as }) {
      const row = walker.model.suppressed.get(name)
      const at = `${path}/suppressed-addresses/${walker.id(name)}`
      // It goes with the person whose address it was.
      const isGone = row?.isGone || walker.isErasedText(String(row?.fields['address']))
      const status = as === 'agent' ? 403 : isGone ? 404 : 200
      await walker.expect(status, 'DELETE', at, undefined, { as })
      if (status === 200 && row) row.isGone = true
    },
  }),
}

/** Waits until a mail has left: no job waits for the server that takes it. */
async function left(walker: Walker, id: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    await walker.world.settle()
    const { status } = await walker.quietly(`${path}/messages/${id}`)
    if (status !== 'queued') return
    assert.ok(tries < 2_000, 'a mail does not leave')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const suppressedAt = (address = '') => `${path}/suppressed-addresses?address=${encodeURIComponent(address)}`
