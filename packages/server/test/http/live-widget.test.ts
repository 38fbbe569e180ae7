import { eventTypes, liveEventTypes, widgetEvents, widgetLiveEvents } from '@crmkit/core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { openLiveStream } from '../support/live-stream.ts'
import { type OpenStream, openStream } from '../support/open-stream.ts'
import { useService } from '../support/use-service.ts'
import { switchWidgetOn, WidgetVisitor } from '../support/widget-visitor.ts'

const running = useService()
let owner: Awaited<ReturnType<typeof registerTenant>>
let visitor: WidgetVisitor
const streams: OpenStream[] = []

beforeEach(async () => {
  owner = await registerTenant(running.url)
  const widget = await switchWidgetOn(running.url, owner.token)
  visitor = new WidgetVisitor(running.url)
  await visitor.begin(widget.key, { profile: { firstName: 'Grace', lastName: 'Hopper' } })
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})

async function asTeam(method: string, path: string, body?: unknown) {
  const response = await call(running.url, { method, path: `/api/v1/${path}`, token: owner.token, body })
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}

async function follow<S extends OpenStream>(opening: Promise<S>): Promise<S> {
  const stream = await opening
  streams.push(stream)
  return stream
}

const type = (id: string, isTyping = true) =>
  visitor.send('POST', `/api/v1/widget/conversations/${id}/typing`, { isTyping })

it('a live stream gets that a visitor types, with the name of the customer and at most every three seconds', async () => {
  const { _id } = await visitor.ask('Hello')
  const { customerId } = await asTeam('GET', `conversations/${_id}`)
  const stream = await follow(openLiveStream(running.url, { token: owner.token }))
  await stream.waitForType('counts.changed', 1)
  for (let sign = 0; sign < 3; sign++) await type(_id)
  await type(_id, false)
  await stream.waitForType('typing', 2)
  const by = { type: 'customer', _id: customerId._id, name: 'Grace Hopper' }
  expect(stream.all('typing').map(({ data }) => data)).toEqual([
    { conversationId: _id, isTyping: true, by },
    { conversationId: _id, isTyping: false, by },
  ])
})

it('a visitor gets no event of the team: no live one but the sign of a reply, no note, and of the others only those of the widget [own.live]', async () => {
  const { _id } = await visitor.ask('Hello')
  const path = '/api/v1/widget/stream'
  const stream = await follow(openStream(running.url, { token: visitor.token ?? '', path }))
  const { body } = await visitor.send('GET', '/api/v1/widget/events')
  // An event may get its place in the log after the stream has begun, and would be part of it.
  const logged = async () =>
    (await asTeam('GET', 'events?limit=100')).map(({ event }: { event: string }) => event)
  await expect
    .poll(logged)
    .toEqual(expect.arrayContaining(['customer.created', 'conversation.created', 'message.received']))
  const team = await follow(openLiveStream(running.url, { token: owner.token }))
  await team.waitForType('counts.changed', 1)
  // Everything that makes an event of a conversation.
  await asTeam('PUT', `conversations/${_id}/presence`, { state: 'replying' })
  await asTeam('POST', `conversations/${_id}/messages`, { content: 'A secret', type: 'note' })
  await asTeam('POST', `conversations/${_id}/read`)
  await asTeam('PUT', `conversations/${_id}`, { assignedTo: owner.user._id })
  await type(_id)
  await asTeam('PUT', `conversations/${_id}`, { status: 'closed' })
  await asTeam('POST', `conversations/${_id}/messages`, { content: 'The last one' })
  await expect.poll(() => stream.text()).toContain('The last one')
  await expect
    .poll(() => new Set(team.types()))
    .toEqual(
      new Set([
        ...[
          'counts.changed',
          'presence.changed',
          'conversation.read',
          'typing',
          'note.created',
          'message.sent',
        ],
        ...['conversation.updated', 'conversation.assigned', 'conversation.closed'],
      ]),
    )
  const seen = stream.messages().map(({ event }) => event)
  const hidden = [...eventTypes, ...liveEventTypes].filter(
    (name) => ![...widgetEvents, ...widgetLiveEvents].some((own) => own === name),
  )
  for (const name of hidden) expect(seen).not.toContain(name)
  expect(seen).toContain('message.sent')
  expect(stream.text()).not.toContain('secret')
  const after = `after=${encodeURIComponent(body.pagination.nextCursor)}`
  const listed = await visitor.send('GET', `/api/v1/widget/events?${after}`)
  for (const { event } of listed.body.data) expect(widgetEvents).toContain(event)
  for (const query of ['live=true', 'types=typing'])
    expect((await visitor.send('GET', `/api/v1/events/stream?${query}`)).status).toBe(403)
  const own = await visitor.send('GET', `/api/v1/widget/conversations/${_id}/messages`)
  expect(JSON.stringify(own.body)).not.toContain('secret')
})

it('a visitor is shown that somebody of the team writes a reply and has stopped, without a name; another visitor is not', async () => {
  const { _id } = await visitor.ask('Hello')
  const path = '/api/v1/widget/stream'
  const stream = await follow(openStream(running.url, { token: visitor.token ?? '', path }))
  const { key } = await switchWidgetOn(running.url, owner.token)
  const other = new WidgetVisitor(running.url)
  await other.begin(key)
  const foreign = await other.ask('Is somebody there?')
  const otherStream = await follow(openStream(running.url, { token: other.token ?? '', path }))
  const signs = () =>
    stream.messages().flatMap(({ event, data }) => (event === 'typing' ? [JSON.parse(data).data] : []))
  const present = (id: string, state: string) => asTeam('PUT', `conversations/${id}/presence`, { state })
  await present(_id, 'viewing')
  await present(_id, 'replying')
  await expect.poll(() => signs().at(-1)).toEqual({ conversationId: _id, isTyping: true })
  await present(_id, 'viewing')
  await expect.poll(() => signs().at(-1)).toEqual({ conversationId: _id, isTyping: false })
  expect(stream.text()).not.toContain(owner.user._id)
  await present(foreign._id, 'replying')
  await expect.poll(() => otherStream.text()).toContain(foreign._id)
  expect(signs().every(({ conversationId }) => conversationId === _id)).toBe(true)
  expect(otherStream.text()).not.toContain(_id)
})

it('a reader that does not keep up loses live events, and no event of the log [own.live]', async () => {
  const { _id } = await visitor.ask('Hello')
  const token = owner.token
  const colleague = await addColleague(running, { tenantId: owner.tenant._id, role: 'agent' })
  const query = 'live=true&types=presence.changed,note.created'
  const slow = await follow(openLiveStream(running.url, { token, query }))
  const quick = await follow(openLiveStream(running.url, { token, query }))
  slow.pause()
  // Larger than the buffers of both sockets.
  const content = 'x'.repeat(60_000)
  const notes = 120
  await Promise.all(
    Array.from({ length: notes }, () =>
      asTeam('POST', `conversations/${_id}/messages`, { content, type: 'note' }),
    ),
  )
  await expect.poll(() => quick.types().length).toBe(notes)
  const setPresence = (state: string) =>
    call(running.url, {
      method: 'PUT',
      path: `/api/v1/conversations/${_id}/presence`,
      token: colleague.token,
      body: { state },
    })
  await setPresence('viewing')
  await quick.waitForType('presence.changed', 1)
  slow.resume()
  await expect.poll(() => slow.types()).toHaveLength(notes)
  expect(new Set(slow.types())).toEqual(new Set(['note.created']))
  // It hears the next one.
  await setPresence('replying')
  expect((await slow.waitForType('presence.changed', 1))[0]?.data.present).toMatchObject([
    { state: 'replying' },
  ])
})
