import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { switchWidgetOn, type Widget, WidgetVisitor } from '../support/widget-visitor.ts'

// The welcome of the chat widget and its texts, and messages in Markdown. Paths are below /api/v1/widget/.

const hourMs = 3_600_000
let aheadMs = 0
const running = useService({}, { clock: { nowMs: () => Date.now() + aheadMs } })
let owner: Awaited<ReturnType<typeof registerTenant>>
let widget: Widget

beforeEach(async () => {
  owner = await registerTenant(running.url)
  widget = await switchWidgetOn(running.url, owner.token)
})

async function asTeam(method: string, path: string, body?: unknown) {
  const response = await call(running.url, { method, path: `/api/v1/${path}`, token: owner.token, body })
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}

const configOf = async ({ key }: Widget) =>
  (await call(running.url, { path: `/api/v1/widget/config?key=${key}` })).body.data

describe('GET /api/v1/widget/config', () => {
  it('shows the name of the tenant and who is online only where the inbox shows its team', async () => {
    await asTeam('PUT', 'users/me', { firstName: 'Olive', lastName: 'Ownersson', availability: 'online' })
    expect((await configOf(widget)).team).toBeNull()
    await widget.set({ showTeam: true })
    const { team } = await configOf(widget)
    expect(team).toEqual({ name: owner.tenant.name, faces: [{ name: 'Olive' }] })
    await asTeam('PUT', 'users/me', { availability: 'away' })
    expect((await configOf(widget)).team).toEqual({ name: owner.tenant.name, faces: [] })
  })

  it('shows at most three members, only those of the inbox, and neither an address nor an id', async () => {
    const tenantId = owner.user.tenantId
    const members: string[] = []
    for (const firstName of ['Ada', 'bo@example.com', 'Cleo', 'Dora']) {
      const colleague = await addColleague(running, { tenantId, role: 'agent' })
      members.push(colleague.userId)
      const path = '/api/v1/users/me'
      const body = { firstName, availability: 'online' }
      expect((await call(running.url, { method: 'PUT', path, token: colleague.token, body })).status).toBe(
        200,
      )
    }
    await asTeam('PUT', 'users/me', { firstName: 'Olive', availability: 'online' })
    await asTeam('PUT', `inboxes/${widget.inboxId}`, { members })
    await widget.set({ showTeam: true })
    const config = await configOf(widget)
    const names = config.team.faces.map(({ name }: { name: string }) => name)
    expect(names.length).toBeLessThanOrEqual(3)
    expect(['Ada', 'Cleo', 'Dora']).toEqual(expect.arrayContaining(names))
    expect(config.team.faces.flatMap(Object.keys)).toEqual(names.map(() => 'name'))
    expect(JSON.stringify(config)).not.toMatch(/@|usr_|ten_|inb_/)
  })

  it('shows no restricted user', async () => {
    await widget.set({ showTeam: true })
    await asTeam('PUT', 'users/me', { firstName: 'Olive', availability: 'online' })
    const { storage } = running.service
    const { tenantId } = owner.user
    const user = await storage.forTenant(tenantId).users.find(owner.user._id)
    if (user === undefined) throw new Error('the owner is stored')
    const set = { processingRestricted: true }
    const write = { op: 'update', kind: 'users', id: user._id, expectVersion: user.version, set } as const
    await storage.system.commit(tenantId, { writes: [write], events: [] })
    expect((await configOf(widget)).team.faces).toEqual([])
  })

  it.each([
    ['minutes', 0.1],
    ['hours', 3],
    ['day', 20],
    [null, 30],
  ])('says %s when half of twenty first replies came within %d hours', async (replyTime, hours) => {
    const visitor = new WidgetVisitor(running.url)
    await visitor.begin(widget.key)
    const ids: string[] = []
    for (let count = 0; count < 20; count++) ids.push((await visitor.ask('Hello', randomUUID()))._id)
    const key = await createKey(running.url, owner.token, ['write:conversations'])
    aheadMs += hours * hourMs
    for (const [index, id] of ids.entries()) {
      // With nineteen nobody can say.
      if (index === 19) expect((await configOf(widget)).replyTime).toBeNull()
      const path = `/api/v1/conversations/${id}/messages`
      const body = { content: 'Hello' }
      expect((await call(running.url, { method: 'POST', path, token: key, body })).status).toBe(201)
    }
    // Where nothing was known it is found again after an hour.
    aheadMs += hourMs
    expect((await configOf(widget)).replyTime).toBe(replyTime)
  })

  it('shows the texts that replace those of the widget', async () => {
    expect((await configOf(widget)).texts).toEqual({})
    await widget.set({ texts: { placeholder: '  Ask us ', failed: 'Oh: {reason}' } })
    expect((await configOf(widget)).texts).toEqual({ placeholder: 'Ask us', failed: 'Oh: {reason}' })
    await widget.set({})
    expect((await configOf(widget)).texts).toEqual({})
  })
})

describe('PUT /api/v1/inboxes/{id}', () => {
  const put = (texts: object) =>
    call(running.url, {
      method: 'PUT',
      path: `/api/v1/inboxes/${widget.inboxId}`,
      token: owner.token,
      body: { widget: { enabled: true, texts } },
    })

  it.each([
    [{ greet: 'Hello' }, 'widget.texts.greet', 'unknown_field'],
    [{ toString: 'Hello' }, 'widget.texts.toString', 'unknown_field'],
    [{ send: 'x'.repeat(201) }, 'widget.texts.send', 'max'],
    [{ send: ' ' }, 'widget.texts.send', 'min'],
    [{ send: 1 }, 'widget.texts.send', 'type'],
  ])('refuses the texts %j of the widget', async (texts, field, rule) => {
    const { status, body } = await put(texts)
    expect([status, body.details[0].field, body.details[0].rule]).toEqual([422, field, rule])
  })
})

describe('a reply in Markdown', () => {
  const content = '**Yes**, see [the shop](https://shop.example)'

  it('comes as a text, or as Markdown to a program that asks for it, in lists and events alike', async () => {
    const visitor = new WidgetVisitor(running.url)
    await visitor.begin(widget.key)
    const { _id } = await visitor.ask('**Is it** in stock?')
    const position = (await visitor.send('GET', '/api/v1/widget/events')).body.pagination.nextCursor
    await asTeam('POST', `conversations/${_id}/messages`, { content, contentType: 'markdown' })
    const html = '<p>Or <b>tomorrow</b></p>'
    await asTeam('POST', `conversations/${_id}/messages`, { content: html, contentType: 'html' })
    type Shown = { content: string; contentType: string }
    const typesOf = (shown: Shown[]) => shown.map((message) => [message.contentType, message.content])
    const list = async (query: string) => {
      const path = `/api/v1/widget/conversations/${_id}/messages?${query}`
      return typesOf((await visitor.send('GET', path)).body.data)
    }
    const events = async (query: string) => {
      const path = `/api/v1/widget/events?after=${encodeURIComponent(position)}&${query}`
      const { data } = (await visitor.send('GET', path)).body
      const sent = data.filter(({ event }: { event: string }) => event === 'message.sent')
      return typesOf(sent.map((event: { data: Shown }) => event.data))
    }
    const asked = ['text', '**Is it** in stock?']
    const last = ['text', 'Or tomorrow']
    // On MongoDB an event gets its position shortly after its commit.
    await expect.poll(async () => (await events('')).length).toBe(2)
    for (const query of ['', 'format=text']) {
      expect(await list(query)).toEqual([asked, ['text', content], last])
      expect(await events(query)).toEqual([['text', content], last])
    }
    expect(await list('format=markdown')).toEqual([asked, ['markdown', content], last])
    expect(await events('format=markdown')).toEqual([['markdown', content], last])
    const wrong = await visitor.send('GET', `/api/v1/widget/conversations/${_id}/messages?format=html`)
    expect([wrong.status, wrong.body.details[0].rule]).toEqual([422, 'enum'])
  })

  it('comes by each of two streams in its own form', async () => {
    const visitor = new WidgetVisitor(running.url)
    await visitor.begin(widget.key)
    const { _id } = await visitor.ask('Hello')
    const path = '/api/v1/widget/events'
    const { nextCursor } = (await visitor.send('GET', path)).body.pagination
    const typeOfReply = async (format: string): Promise<string> => {
      // On MongoDB the visitor's own message may get its position after the one that was read.
      for (let after = nextCursor; ; ) {
        const query = `wait=25&format=${format}&after=${encodeURIComponent(after)}`
        const { data, pagination } = (await visitor.send('GET', `${path}?${query}`)).body
        const sent = data.find(({ event }: { event: string }) => event === 'message.sent')
        if (sent) return sent.data.contentType
        after = pagination.nextCursor
      }
    }
    const both = [typeOfReply('text'), typeOfReply('markdown')]
    await asTeam('POST', `conversations/${_id}/messages`, { content, contentType: 'markdown' })
    expect(await Promise.all(both)).toEqual(['text', 'markdown'])
  })
})

describe('the author of what a program writes', () => {
  it('is the name that its key has for customers, and nobody where it has none', async () => {
    const keyOf = async (displayName?: string) => {
      const permissions = ['read:conversations', 'write:conversations']
      const body = { name: 'ci on vm', permissions, ...(displayName && { displayName }) }
      const made = await call(running.url, {
        method: 'POST',
        path: '/api/tenant/api-keys',
        token: owner.token,
        body,
      })
      return made.body.data
    }
    const visitor = new WidgetVisitor(running.url)
    await visitor.begin(widget.key)
    const { _id } = await visitor.ask('Hello')
    const path = `/api/v1/conversations/${_id}/messages`
    const [named, plain] = [await keyOf('Acme’s assistant'), await keyOf()]
    expect([named.displayName, plain.displayName]).toEqual(['Acme’s assistant', null])
    for (const { key } of [named, plain]) {
      const body = { content: 'Hello from a program' }
      expect((await call(running.url, { method: 'POST', path, token: key, body })).status).toBe(201)
    }
    const ofVisitor = await visitor.send('GET', `/api/v1/widget/conversations/${_id}/messages`)
    const senders = ofVisitor.body.data.map(({ sender }: { sender: unknown }) => sender)
    expect(senders).toEqual(
      expect.arrayContaining([
        { type: 'api', name: 'Acme’s assistant' },
        { type: 'api', name: null },
      ]),
    )
    expect(JSON.stringify(ofVisitor.body)).not.toContain('ci on vm')
    const ofTeam = await asTeam('GET', `conversations/${_id}/messages`)
    const names = ofTeam.map(({ sender }: { sender: { name: string } }) => sender.name)
    expect(names).toEqual(expect.arrayContaining(['Acme’s assistant', 'ci on vm']))
  })
})
