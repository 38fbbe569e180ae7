import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { useSenderHarness } from '../../../test/support/sender-harness.ts'
import { createConnectorHosts } from '../../connectors/connector-hosts.ts'
import { createConnectorHttp } from './connector-http.ts'

const { openReceiver, certificate } = useSenderHarness()
const signal = new AbortController().signal

type Options = Partial<Parameters<typeof createConnectorHttp>[0]>

function openHttp(hosts: string[], options: Options = {}) {
  const http = createConnectorHttp({ hosts: createConnectorHosts({ hosts }), timeoutMs: 5_000, ...options })
  onTestFinished(() => http.close())
  const get = (url: string, tenantId = 'ten_1') =>
    http.send({ tenantId, method: 'GET', url, headers: {}, signal })
  return { get }
}

it('reaches a named host over TLS by the authority of the operator alone', async () => {
  const receiver = await openReceiver((_req, res) => res.end('{"ok":true}'))
  const host = `127.0.0.1:${receiver.port}`
  const trusted = openHttp([host], { caFile: certificate().caFile })
  expect((await trusted.get(`https://${host}/a`)).json).toEqual({ ok: true })
  const untrusted = openHttp([host])
  await expect(untrusted.get(`https://${host}/a`)).rejects.toMatchObject({ kind: 'transient' })
  expect(receiver.requests).toHaveLength(1)
})

it('opens no connection to a vendor’s host that resolves to a private address', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { get } = openHttp([], { resolveHost: async () => ['127.0.0.1'] })
  await expect(get(`https://www.zohoapis.com:${port}/crm/v8/org`)).rejects.toMatchObject({
    kind: 'transient',
  })
  expect(connections).toBe(0)
})

it('opens no connection to a metadata address, even when the operator names it', async () => {
  const { get } = openHttp(['169.254.169.254:80'], { timeoutMs: 60_000 })
  const startedMs = Date.now()
  await expect(get('http://169.254.169.254/latest')).rejects.toMatchObject({ kind: 'transient' })
  // Refused by its address: a dialled one would use up the time of the request.
  expect(Date.now() - startedMs).toBeLessThan(30_000)
})

it('speaks plain http with named hosts only', async () => {
  const { get } = openHttp(['127.0.0.1:4010'])
  await expect(get('http://www.zohoapis.com/crm/v8/org')).rejects.toMatchObject({ kind: 'fatal' })
})

it('follows no redirect, and sends its headers to no other host', async () => {
  const target = await openReceiver((_req, res) => res.end('{}'))
  const receiver = await openReceiver((_req, res) =>
    res.writeHead(302, { Location: `https://127.0.0.1:${target.port}/` }).end(),
  )
  const hosts = [`127.0.0.1:${receiver.port}`, `127.0.0.1:${target.port}`]
  const { get } = openHttp(hosts, { caFile: certificate().caFile })
  await expect(get(`https://127.0.0.1:${receiver.port}/`)).rejects.toMatchObject({ kind: 'transient' })
  expect(target.requests).toEqual([])
})

it('shares no connection between two tenants', async () => {
  const receiver = await openReceiver((_req, res) => res.end('{}'))
  const host = `127.0.0.1:${receiver.port}`
  const { get } = openHttp([host], { caFile: certificate().caFile })
  await get(`https://${host}/`)
  await get(`https://${host}/`)
  await get(`https://${host}/`, 'ten_2')
  expect(receiver.connectionCount()).toBe(2)
})
