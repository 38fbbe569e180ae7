import { createHmac } from 'node:crypto'
import { maybe, pickName, stepKind } from '../step-kind.ts'
import { type Body, NothingToDo, type Walker } from '../walker.ts'
import { begun, meet, withAddress, wrote } from './doors.ts'

const path = '/api/v1/widget'

type Choosing = import('../step-kind.ts').Choosing

function pickVisitor({ random, model }: Choosing): { visitor: string } | undefined {
  const visitors = [...model.visitors.keys()]
  return visitors.length === 0 ? undefined : { visitor: random.pick(visitors) }
}

/** The visitor with what they began, and what a request about it may return. */
function chatOf(walker: Walker, name: string) {
  const { model } = walker
  const visitor = model.visitors.get(name)
  const conversation = model.conversations.get(visitor?.conversation ?? '')
  if (visitor === undefined || conversation === undefined) throw new NothingToDo(name)
  const author = conversation.customer ?? visitor.customer
  const isBlocked = model.customers.get(author)?.isBlocked === true
  const id = walker.id(conversation.name)
  return {
    visitor,
    conversation,
    author,
    at: `${path}/conversations/${id}`,
    asked: { token: walker.secret(name) },
    reads: visitor.isGone ? 401 : conversation.isGone ? 404 : 200,
    // A blocked customer may read, and write nothing.
    writes: visitor.isGone ? 401 : conversation.isGone ? 404 : isBlocked ? 409 : 200,
  } as const
}

/** The token by which a server of the tenant vouches for a person. */
function signed(walker: Walker, claims: Readonly<Record<string, string>>): string {
  const now = Math.floor(walker.world.now() / 1000)
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { iat: now, exp: now + 300, ...claims },
  ]
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${createHmac('sha256', walker.widgetSecret).update(text).digest('base64url')}`
}

interface SignedIn {
  sub: string
  email: string
  /** The customer who it has to be; undefined when nobody knows yet. */
  known: string | undefined
}

/** Signs a person in, and lets them write: a person is one customer on every device. */
async function signIn(walker: Walker, { sub, email, known }: SignedIn, n: number): Promise<void> {
  const { model } = walker
  const body = { key: walker.widgetKey, userToken: signed(walker, { sub, email }) }
  const { data } = await walker.expect(201, 'POST', `${path}/sessions`, body, { token: null })
  walker.same(data.verified, true, `the sign-in of ${sub}`)
  const isNew = !walker.isNamedId(data.customer._id)
  const name = isNew ? `c${n}` : (walker.nameOf(data.customer._id) ?? '')
  if (known !== undefined) walker.same(name, known, `the customer of ${sub}`)
  const before = JSON.stringify(model.customers.get(name))
  const customer = await meet(walker, name, data.customer._id)
  if (isNew) walker.events.push(`customer.created ${name}`)
  else if (before !== JSON.stringify(customer)) walker.events.push(`customer.updated ${name}`)
  model.typed.delete(email)
  model.signed.set(sub, { email, customer: name })
  const message = walker.text('Signs', { customer: name, conversation: `v${n}` })
  const asked = { message, clientMessageId: `visit-${n}` }
  const status = customer.isBlocked ? 409 : 201
  const token: string = data.sessionToken
  const begins = await walker.expect(status, 'POST', `${path}/conversations`, asked, { token })
  if (status === 409) return
  await begun(walker, begins.data._id, n, { author: name, content: message })
}

export const chatSteps = {
  'widget.signs': stepKind<{ known: string | null }>({
    weight: 2,
    choose(choosing) {
      const { random, model } = choosing
      const some = new Map(
        [...model.customers].filter(([, one]) => one.profile.email !== null && !one.isGone),
      )
      return { known: random.isOneIn(2) ? null : (pickName(choosing, some) ?? null) }
    },
    async run(walker, { known }, n) {
      const address = known === null ? undefined : withAddress(walker, known).address
      const email = address ?? walker.text('s@people.test', { customer: `c${n}` })
      await signIn(walker, { sub: `person-${n}`, email, known: known ?? undefined }, n)
    },
  }),

  'widget.signsAgain': stepKind<{ person: string }>({
    weight: 2,
    choose({ random, model }) {
      const people = [...model.signed.keys()]
      return people.length === 0 ? undefined : { person: random.pick(people) }
    },
    async run(walker, { person: sub }, n) {
      const person = walker.model.signed.get(sub)
      if (person === undefined) throw new NothingToDo(sub)
      const isGone = walker.model.customers.get(person.customer)?.isGone === true
      // Somebody who was erased is a stranger with another address.
      const email = isGone ? walker.text('s@people.test', { customer: `c${n}` }) : person.email
      await signIn(walker, { sub, email, known: isGone ? undefined : person.customer }, n)
    },
  }),

  /** A wrong address changes nothing. */
  'chat.typesWrongly': stepKind<{ visitor: string }>({
    weight: 1,
    choose: pickVisitor,
    async run(walker, { visitor: name }) {
      const { visitor, asked } = chatOf(walker, name)
      const wrong = { email: 'no address', firstName: 'Nobody' }
      await walker.expect(visitor.isGone ? 401 : 422, 'PUT', `${path}/sessions/current`, wrong, asked)
    },
  }),

  'chat.looks': stepKind<{ visitor: string }>({
    weight: 3,
    choose: pickVisitor,
    async run(walker, { visitor: name }) {
      const { model } = walker
      const { visitor, conversation, at, asked, reads } = chatOf(walker, name)
      await walker.expect(200, 'GET', `${path}/config?key=${walker.widgetKey}`, undefined, { token: null })
      const list = await walker.expect(
        visitor.isGone ? 401 : 200,
        'GET',
        `${path}/conversations`,
        undefined,
        asked,
      )
      const session = visitor.isGone ? 401 : 200
      await walker.expect(session, 'GET', `${path}/sessions/current`, undefined, asked)
      const messages = await walker.expect(reads, 'GET', `${at}/messages?limit=100`, undefined, asked)
      await walker.expect(visitor.isGone ? 401 : 200, 'GET', `${path}/events`, undefined, asked)
      if (visitor.isGone) return
      const seen = list.data.map((row: Body) => [walker.nameOf(row._id), row.subject])
      const { name: own, subject } = conversation
      walker.same(seen, conversation.isGone ? [] : [[own, subject]], `the conversations of ${name}`)
      if (conversation.isGone) return
      const expected = model
        .alive(model.messages)
        .filter((one) => one.conversation === conversation.name && one.type !== 'note')
      walker.same(
        messages.data.map((row: Body) => [walker.nameOf(row._id), row.content]),
        expected.map((one) => [one.name, one.content]),
        `the messages that ${name} sees`,
      )
    },
  }),

  'chat.reads': stepKind<{ visitor: string }>({
    weight: 2,
    choose: pickVisitor,
    async run(walker, { visitor }) {
      const { conversation, at, asked, reads } = chatOf(walker, visitor)
      const { data } = await walker.expect(reads, 'POST', `${at}/read`, {}, asked)
      if (reads !== 200) return
      walker.same(data.unreadCount, 0, 'unread messages after the reading')
      const isNew = Date.parse(data.readAt.customer) === walker.world.now()
      if (isNew) walker.events.push(`conversation.updated ${conversation.name}`)
    },
  }),

  'chat.rates': stepKind<{ visitor: string; rating: number; isTyping: boolean }>({
    weight: 2,
    choose(choosing) {
      const { random } = choosing
      const picked = pickVisitor(choosing)
      return picked && { ...picked, rating: 1 + random.below(5), isTyping: random.isOneIn(2) }
    },
    async run(walker, { visitor: name, rating, isTyping }) {
      const { visitor, conversation, at, asked, writes } = chatOf(walker, name)
      await walker.expect(writes, 'POST', `${at}/typing`, { isTyping }, asked)
      // The words of the visitor, whomever the team takes for the customer.
      const home = { customer: visitor.customer, conversation: conversation.name, isReplaced: true } as const
      const body = { rating, comment: walker.text('Rates', home) }
      const { data } = await walker.expect(writes, 'POST', `${at}/rating`, body, asked)
      if (writes !== 200) return
      walker.same([data.rating.score, data.rating.comment], [rating, body.comment], `the rating of ${name}`)
      walker.events.push(`conversation.updated ${conversation.name}`)
    },
  }),

  'chat.sends': stepKind<{ visitor: string }>({
    weight: 2,
    choose: pickVisitor,
    async run(walker, { visitor: name }, n) {
      const { model } = walker
      const { visitor, conversation, author, at, asked, writes } = chatOf(walker, name)
      const isBlocked = model.customers.get(visitor.customer)?.isBlocked === true
      // The file is the visitor's, the message is that customer's: one of the two alone may be blocked.
      if (!conversation.isGone && (writes === 409) !== isBlocked) throw new NothingToDo(name)
      const isRefused = visitor.isGone ? 401 : isBlocked ? 409 : undefined
      // No export holds texts that are refused.
      const isStored = isRefused === undefined && !conversation.isGone
      const home = isStored ? { customer: author, conversation: conversation.name } : {}
      const text = walker.text('Photo', home)
      const file = new File([text], `${walker.text('name', home)}.txt`)
      const uploads = `${path}/attachments`
      const uploaded = await walker.expect(isRefused ?? 201, 'POST', uploads, undefined, {
        ...asked,
        form: { file },
      })
      if (isRefused !== undefined) return
      const content = walker.text('Shows', home)
      const body = { content, clientMessageId: `visit-${n}`, attachments: [uploaded.data._id] }
      const sent = await walker.expect(conversation.isGone ? 404 : 201, 'POST', `${at}/messages`, body, asked)
      if (conversation.isGone) {
        // The file belongs to the session until a message takes it.
        walker.adopt(`f${n}`, {})
        return
      }
      await wrote(walker, conversation.name, n, { author, content })
      walker.name(`f${n}`, uploaded.data._id)
      const made = { name: `f${n}`, fields: { text }, message: `m${n}`, isGone: false }
      model.attachments.set(made.name, made)
      const seen = await walker.expect(200, 'GET', sent.data.attachments[0].url, undefined, asked)
      walker.same(seen, text, `the bytes that ${name} sees`)
    },
  }),

  'chat.ends': stepKind<{ visitor: string }>({
    weight: 1,
    choose: (choosing) => maybe(choosing.random, 2, () => pickVisitor(choosing)),
    async run(walker, { visitor: name }) {
      const visitor = walker.model.visitors.get(name)
      if (visitor === undefined) throw new NothingToDo(name)
      const asked = { token: walker.secret(name) }
      const response = await walker.ask('DELETE', `${path}/sessions/current`, undefined, asked)
      // The second request of a client whose connection broke has no session any more.
      const isOver = visitor.isGone || walker.sentAgain.has(response)
      if (!isOver || response.status !== 401)
        walker.same(response.status, visitor.isGone ? 401 : 200, `the end of ${name}`)
      visitor.isGone = true
    },
  }),
}
