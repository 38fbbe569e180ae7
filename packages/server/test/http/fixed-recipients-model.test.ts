// Runs on both databases by day: a random walk over stored states.

import type { Draft, Message } from '@crmkit/core'
import { constantFrom, oneof, record } from 'fast-check'
import { expect, it } from 'vitest'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { runModel } from '../support/run-model.ts'
import { setLimit } from '../support/set-limit.ts'
import { useService } from '../support/use-service.ts'

const service = useService({ CRM_MAIL_DOMAIN: 'in.acme.test' })

const people = ['ada', 'bob', 'carol'] as const
const edits = ['address', 'customer', 'merge', 'unassign', 'inbox', 'transport', 'mail'] as const
const ends = ['due', 'send'] as const

const action = record({
  what: oneof(constantFrom(...edits), constantFrom('save', ...ends)),
  who: constantFrom(...people),
})
type Action = { what: (typeof edits)[number] | 'save' | (typeof ends)[number]; who: (typeof people)[number] }

/** A conversation that anybody may change between the save of a reply and its way out. */
class Walk {
  readonly #inbox: MailInbox
  readonly #id: string
  readonly #otherInboxId: string
  #customers = 0
  #shown: Draft | undefined
  #transport = 'relay'

  constructor(inbox: MailInbox, id: string, otherInboxId: string) {
    this.#inbox = inbox
    this.#id = id
    this.#otherInboxId = otherInboxId
  }

  async apply({ what, who }: Action): Promise<void> {
    const email = `${who}@example.com`
    const customerId = (await this.#inbox.store.conversations.find(this.#id))?.customerId
    if (what === 'save') return this.#save()
    if (what === 'due' || what === 'send') return this.#end(what)
    if (what === 'address' && customerId) await this.#put(`/api/v1/customers/${customerId}`, { email })
    if (what === 'customer') await this.#change({ customerId: await this.#newCustomer(email) })
    if (what === 'merge' && customerId) {
      const path = `/api/v1/customers/${await this.#newCustomer(email)}/merge`
      await this.#inbox.ask('POST', path, { sourceId: customerId })
    }
    if (what === 'unassign') await this.#change({ customerId: null })
    if (what === 'inbox')
      await this.#change({ inboxId: who === 'ada' ? this.#inbox.inboxId : this.#otherInboxId })
    if (what === 'transport') await this.#setTransport(who === 'ada' ? 'none' : 'relay')
    if (what === 'mail') await this.#inbox.receive({ headers: [`Cc: ${email}`] })
  }

  #put(path: string, body: object) {
    return this.#inbox.ask('PUT', path, body)
  }

  #change(body: object) {
    return this.#put(`/api/v1/conversations/${this.#id}`, body)
  }

  async #newCustomer(email: string): Promise<string> {
    this.#customers += 1
    const body = { firstName: `Customer ${this.#customers}`, email }
    return (await this.#inbox.ask('POST', '/api/v1/customers', body)).body.data._id
  }

  async #setTransport(transport: string) {
    if (transport === this.#transport) return
    this.#transport = transport
    const email = { ...this.#inbox.settings, transport }
    await this.#put(`/api/v1/inboxes/${this.#inbox.inboxId}`, { email })
  }

  async #save() {
    const sendAt = new Date(Date.now() + 3_600_000).toISOString()
    const body = { content: 'The key is 1234', sendAt, sendUnlessReplied: false }
    this.#shown = (await this.#put(`/api/v1/conversations/${this.#id}/draft`, body)).body.data
  }

  /** Lets the reply leave: then those got it who were shown, or nobody. */
  async #end(how: (typeof ends)[number]) {
    const shown = this.#shown
    if (shown === undefined) return
    this.#shown = undefined
    const wayOut = `/api/v1/conversations/${this.#id}/drafts/${shown._id}/send`
    if (how === 'send') await this.#inbox.ask('POST', wayOut, {})
    else await this.#comeDue(shown._id)
    const sent: Message | undefined = (await this.#inbox.messagesOf(this.#id)).find(
      ({ clientMessageId }: Message) => clientMessageId === shown._id,
    )
    const left = await this.#inbox.store.drafts.find(shown._id)
    expect(sent === undefined).toBe(left !== undefined)
    if (sent === undefined) return
    const addressesOf = (kind: string) =>
      sent.recipients.filter((one) => one.kind === kind).map(({ address }) => address)
    expect([addressesOf('to'), addressesOf('cc')]).toEqual([shown.to, shown.cc])
    expect(sent.email?.from?.address ?? null).toBe(shown.basis?.from)
  }

  async #comeDue(id: string) {
    const { store } = this.#inbox
    const { version = 0 } = (await store.drafts.find(id)) ?? {}
    const set = { dueAt: new Date().toISOString() }
    await store.commit({
      writes: [{ op: 'update', kind: 'drafts', id, expectVersion: version, set }],
      events: [],
    })
    const isOver = async () => ((await store.drafts.find(id))?.dueAt ?? null) === null
    await expect.poll(isOver).toBe(true)
  }
}

it('a reply reaches the addresses that were shown, or nobody, with any changes between its save and its way out', async () => {
  await runModel<Action>({
    name: 'fixed recipients',
    action,
    async walk(actions) {
      const inbox = await makeMailInbox(service)
      // All walks together reply more often than a new tenant may.
      await setLimit(service, inbox, ['relayRecipientsPerDay', 1_000_000])
      const { conversationId = '' } = await inbox.receive({ headers: ['Cc: carol@example.com'] })
      const other = await inbox.ask('POST', '/api/v1/inboxes', {
        name: 'Sales',
        email: { address: inbox.address.replace('h', 'sales'), transport: 'relay' },
      })
      const walk = new Walk(inbox, conversationId, other.body.data._id)
      for (const one of actions) await walk.apply(one)
    },
  })
})

it('an edit at the very moment of sending changes no recipient', async () => {
  const inbox = await makeMailInbox(service)
  for (let round = 0; round < 10; round++) {
    const from = `Ada <ada${round}@example.com>`
    const { conversationId = '' } = await inbox.receive({ from })
    const path = `/api/v1/conversations/${conversationId}`
    const { customerId } = (await inbox.store.conversations.find(conversationId)) ?? {}
    const draft: Draft = (await inbox.ask('PUT', `${path}/draft`, { content: 'Yes' })).body.data
    const [sent] = await Promise.all([
      inbox.ask('POST', `${path}/drafts/${draft._id}/send`, {}),
      inbox.ask('PUT', `/api/v1/customers/${customerId}`, { email: `other${round}@example.com` }),
    ])
    const expected = `ada${round}@example.com`
    if (sent.status === 201) expect(sent.body.data.email.to).toMatchObject([{ address: expected }])
    else expect([sent.status, sent.body.details.reason]).toEqual([409, 'RECIPIENT_CHANGED'])
  }
})
