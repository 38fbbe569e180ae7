// Runs on both databases by day: what is noted once is a patch and a nested value of a row.
import { beforeAll, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string
beforeAll(async () => {
  token = (await registerTenant(running.url)).token
})

interface Widget {
  publicKey: string
  lastSeen: { origin: string; at: string } | null
}

async function makeInbox(allowedOrigins: readonly string[] = []) {
  const body = { name: 'Web', channel: 'chat', widget: { enabled: true, allowedOrigins } }
  const made = await call(running.url, { method: 'POST', path: '/api/v1/inboxes', token, body })
  const path = `/api/v1/inboxes/${made.body.data._id}`
  const { publicKey } = made.body.data.widget as Widget
  const read = async () => (await call(running.url, { path, token })).body.data
  return {
    path,
    read,
    seen: async () => ((await read()).widget as Widget).lastSeen,
    load: (origin: string | undefined) =>
      call(running.url, {
        path: `/api/v1/widget/config?key=${publicKey}`,
        ...(origin !== undefined && { headers: { origin } }),
      }),
  }
}

test('an inbox says which page has loaded its widget last, and nothing else of it changes', async () => {
  const { load, seen, read } = await makeInbox()
  expect(await seen()).toBeNull()
  const { updatedAt } = await read()
  const before = new Date().toISOString()
  expect((await load('https://shop.example')).status).toBe(200)
  const found = await seen()
  expect(found).toMatchObject({ origin: 'https://shop.example' })
  expect((found?.at ?? '') >= before).toBe(true)
  expect((await read()).updatedAt).toBe(updatedAt)
  const audit = await call(running.url, { path: '/api/tenant/audit-log?limit=100', token })
  expect(audit.body.data.map(({ action }: { action: string }) => action)).not.toContain('inbox.updated')
})

test('another page within the same minute is not written', async () => {
  const { load, seen } = await makeInbox()
  const pages = Array.from({ length: 8 }, (_, i) => `https://page-${i}.example`)
  const answers = await Promise.all(pages.map(load))
  expect(answers.map(({ status }) => status)).toEqual(pages.map(() => 200))
  const first = await seen()
  expect(pages).toContain(first?.origin)
  await load('https://later.example')
  expect(await seen()).toEqual(first)
})

test('only a page of an allowed origin counts, and no program and no frame of the service', async () => {
  const { load, seen } = await makeInbox(['https://shop.example'])
  expect((await load('https://elsewhere.example')).status).toBe(403)
  for (const origin of [undefined, running.url]) expect((await load(origin)).status).toBe(200)
  expect(await seen()).toBeNull()
  await load('https://shop.example')
  expect((await seen())?.origin).toBe('https://shop.example')
  const any = await makeInbox()
  for (const origin of ['null', 'file://', 'https://shop.example/path', `https://${'a'.repeat(400)}.example`])
    expect((await any.load(origin)).status).toBe(200)
  expect(await any.seen()).toBeNull()
})

test('an edit of the inbox keeps the page, and does not fail because a page was seen meanwhile', async () => {
  const { path, load, seen } = await makeInbox()
  await load('https://shop.example')
  const body = { widget: { enabled: true, greeting: 'Hello' } }
  const { status } = await call(running.url, { method: 'PUT', path, token, body })
  expect(status).toBe(200)
  expect((await seen())?.origin).toBe('https://shop.example')
})
