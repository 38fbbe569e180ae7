import { afterEach, describe, expect, it } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { signUser, switchWidgetOn, WidgetVisitor } from '../support/widget-visitor.ts'

// The origins and the limits of the chat widget.

let running: RunningService
afterEach(() => running.stop())

async function start(variables: Record<string, string> = {}) {
  running = await startService(variables)
  const owner = await registerTenant(running.url)
  return { owner, widget: await switchWidgetOn(running.url, owner.token) }
}

const shop = 'https://shop.example.com'

describe('the origin of a page', () => {
  it('is judged on every request of the widget, the stream and the errors too [widget]', async () => {
    const { widget, owner } = await start({ CRM_CORS_ORIGINS: 'https://app.example.com' })
    const visitor = new WidgetVisitor(running.url)
    await visitor.begin(widget.key)
    const begun = await visitor.ask('Hello')
    const paths = [
      `config?key=${widget.key}`,
      'conversations',
      `conversations/${begun._id}/messages`,
      'events',
      'stream',
    ]
    const ask = (path: string, origin?: string) =>
      fetch(`${running.url}/api/v1/widget/${path}`, {
        headers: { authorization: `Bearer ${visitor.token}`, ...(origin && { origin }) },
      })
    const seen = async (path: string, origin?: string) => {
      const response = await ask(path, origin)
      await response.body?.cancel()
      return [response.status, response.headers.get('access-control-allow-origin')]
    }
    // An empty list allows every page.
    for (const path of paths)
      expect(await seen(path, 'https://any.example')).toEqual([200, 'https://any.example'])
    await widget.set({ allowedOrigins: [shop, 'http://localhost:8080'] })
    for (const path of paths) {
      expect(await seen(path)).toEqual([200, null])
      expect(await seen(path, shop)).toEqual([200, shop])
      expect(await seen(path, running.url)).toEqual([200, running.url])
      for (const origin of ['https://evil.example', 'null', 'https://app.example.com', `${shop}:444`])
        expect([path, ...(await seen(path, origin))]).toEqual([path, 403, null])
    }
    const refused = await ask('conversations', 'https://evil.example')
    expect(await refused.json()).toMatchObject({ code: 'PERMISSION_DENIED' })
    expect(refused.headers.get('vary')).toContain('Origin')
    expect(await seen('conversations/con_unknown/messages', shop)).toEqual([404, shop])
    expect(await seen('config?key=wpk_unknown', shop)).toEqual([404, shop])
    const session = (origin: string) =>
      call(running.url, {
        method: 'POST',
        path: '/api/v1/widget/sessions',
        headers: { origin },
        body: { key: widget.key },
      })
    expect((await session(shop)).status).toBe(201)
    expect((await session('https://evil.example')).status).toBe(403)
    const team = await call(running.url, {
      path: '/api/v1/conversations',
      token: owner.token,
      headers: { origin: shop },
    })
    expect(team.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('of a forwarded host counts only where a proxy is trusted', async () => {
    for (const [hops, status] of [
      ['0', 403],
      ['1', 200],
    ] as const) {
      const { widget } = await start({ CRM_TRUST_PROXY: hops })
      await widget.set({ allowedOrigins: [shop] })
      const headers = {
        origin: 'https://crm.example.com',
        'x-forwarded-host': 'crm.example.com',
        'x-forwarded-proto': 'https',
      }
      const response = await call(running.url, { path: `/api/v1/widget/config?key=${widget.key}`, headers })
      expect(response.status).toBe(status)
      if (hops === '0') await running.stop()
    }
  })

  it('gets a preflight response with the methods and headers of the widget and without credentials', async () => {
    await start()
    const response = await fetch(`${running.url}/api/v1/widget/conversations`, {
      method: 'OPTIONS',
      headers: { origin: shop, 'access-control-request-method': 'POST' },
    })
    expect(response.ok).toBe(true)
    expect(response.headers.get('access-control-allow-origin')).toBe(shop)
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, DELETE')
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'authorization, content-type, last-event-id',
    )
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })
})

describe('the limits', () => {
  it('allow 20 anonymous sessions an hour and address and one more each 12 s, 20 signed ones a person, and do not count the config', async () => {
    const { owner, widget } = await start({ CRM_RATE_LIMITS: 'on', CRM_TRUST_PROXY: '1' })
    const path = `/api/v1/inboxes/${widget.inboxId}/widget-secret`
    const made = await call(running.url, { method: 'POST', path, token: owner.token, body: {} })
    const { secret } = made.body.data
    const begin = (address: string, sub?: string) =>
      call(running.url, {
        method: 'POST',
        path: '/api/v1/widget/sessions',
        headers: { 'x-forwarded-for': address },
        body: { key: widget.key, ...(sub && { userToken: signUser(secret, { sub }) }) },
      })
    for (let i = 0; i < 20; i++) expect((await begin('203.0.113.5')).status).toBe(201)
    expect((await begin('203.0.113.5')).status).toBe(201)
    const refused = await begin('203.0.113.5')
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(12)
    expect((await begin('203.0.113.6')).status).toBe(201)
    for (let i = 0; i < 20; i++) expect((await begin('203.0.113.5', 'ada')).status).toBe(201)
    expect((await begin('203.0.113.77', 'ada')).status).toBe(429)
    expect((await begin('203.0.113.5', 'bob')).status).toBe(201)
    const config = { path: `/api/v1/widget/config?key=${widget.key}` }
    for (let i = 0; i < 150; i++) expect((await call(running.url, config)).status).toBe(200)
  })

  it('allow 60 anonymous sessions a minute and tenant, from whatever addresses; another tenant has its own', async () => {
    const { widget } = await start({ CRM_RATE_LIMITS: 'on', CRM_TRUST_PROXY: '1' })
    const neighbour = await switchWidgetOn(running.url, (await registerTenant(running.url)).token)
    const begin = (address: string, key = widget.key) =>
      call(running.url, {
        method: 'POST',
        path: '/api/v1/widget/sessions',
        headers: { 'x-forwarded-for': address },
        body: { key },
      })
    for (let i = 0; i < 60; i++) expect((await begin(`203.0.113.${i}`)).status).toBe(201)
    const refused = await begin('198.51.100.1')
    expect([refused.status, refused.body.limit]).toEqual([429, 60])
    expect((await begin('198.51.100.1', neighbour.key)).status).toBe(201)
  })

  it('allow 30 messages and 120 other requests a minute and session, and never use up those of the tenant', async () => {
    const { owner, widget } = await start({
      CRM_RATE_LIMITS: 'on',
      CRM_LIMIT_TENANT_PER_MINUTE: '100',
    })
    const visitor = new WidgetVisitor(running.url)
    await visitor.begin(widget.key)
    const { _id } = await visitor.ask('1')
    const send = (content: number) =>
      visitor.send('POST', `/api/v1/widget/conversations/${_id}/messages`, {
        content: `${content}`,
        clientMessageId: `${content}`,
      })
    for (let i = 2; i <= 30; i++) expect((await send(i)).status).toBe(201)
    const refused = await send(31)
    expect([refused.status, refused.body.limit]).toEqual([429, 30])
    for (let i = 0; i < 120; i++)
      expect((await visitor.send('GET', '/api/v1/widget/conversations')).status).toBe(200)
    expect((await visitor.send('GET', '/api/v1/widget/conversations')).status).toBe(429)
    const team = await call(running.url, { path: '/api/v1/customers', token: owner.token })
    expect(team.status).toBe(200)
  })

  it('refuse 10,001 characters, and a file of more than 10 MB', async () => {
    const { widget } = await start()
    const visitor = new WidgetVisitor(running.url)
    await visitor.begin(widget.key)
    const { _id } = await visitor.ask('x'.repeat(10_000))
    const long = { content: 'x'.repeat(10_001), clientMessageId: 'long' }
    const refused = await visitor.send('POST', `/api/v1/widget/conversations/${_id}/messages`, long)
    expect([refused.status, refused.body.details[0].rule]).toEqual([422, 'max'])
    const form = { file: new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'big.bin') }
    expect((await visitor.send('POST', '/api/v1/widget/attachments', undefined, { form })).status).toBe(413)
  })
})
