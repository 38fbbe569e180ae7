import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { makeMachine } from './support/run-crm.ts'

/** A proxy that refuses everything and notes what it was asked for. */
async function startProxy(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`)
    res.writeHead(502).end()
  })
  server.on('connect', (req, socket) => {
    asked.push(`CONNECT ${req.url}`)
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, asked }
}

it.each(['HTTPS_PROXY', 'https_proxy'])('requests go through the proxy that %s names', async (name) => {
  const { url, asked } = await startProxy()
  const env = { CRM_BASE_URL: 'https://crm.invalid', CRM_API_KEY: 'sk_test_x', [name]: url }
  const run = await makeMachine().run(['customers', 'list'], { env })
  expect(run.code).not.toBe(0)
  expect(asked[0]).toBe('CONNECT crm.invalid:443')
})

it('a proxy that does not run is named in the error', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const env = {
    CRM_BASE_URL: 'https://crm.invalid',
    CRM_API_KEY: 'sk_test_x',
    HTTPS_PROXY: `http://127.0.0.1:${port}`,
  }
  const { code, stderr } = await makeMachine().run(['customers', 'list'], { env })
  expect(code).toBe(1)
  expect(stderr).toContain('the proxy of HTTPS_PROXY or HTTP_PROXY')
})

it('requests to a host of NO_PROXY go around the proxy', async () => {
  const { url, asked } = await startProxy()
  const env = {
    CRM_BASE_URL: 'https://crm.invalid',
    CRM_API_KEY: 'sk_test_x',
    HTTPS_PROXY: url,
    NO_PROXY: 'crm.invalid',
  }
  await makeMachine().run(['customers', 'list'], { env })
  expect(asked).toEqual([])
})
