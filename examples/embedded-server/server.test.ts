import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createCrm } from '@crmkit/server'
import express from 'express'
import { afterAll, expect, it } from 'vitest'
import { call, registerTenant } from '../../packages/server/test/support/call.ts'
import { startProgram } from '../../packages/server/test/support/programs.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-embedded-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

it('serves the shop and the CRM from one process, and stops in order', async () => {
  const shop = await startProgram('examples/embedded-server/server.ts', [], {
    PORT: '0',
    CRM_DATA_DIR: dataDir,
  })
  expect(await (await fetch(shop.url)).text()).toBe('My shop')
  const { token } = await registerTenant(`${shop.url}/support`)
  const created = await call(`${shop.url}/support`, {
    method: 'POST',
    path: '/api/v1/customers',
    token,
    body: { firstName: 'Ada' },
  })
  expect(created.status).toBe(201)
  expect(await shop.kill('SIGTERM')).toBe(0)
})

it('works behind a body parser of the app it is mounted in, on storage that goes with it', async () => {
  const crm = await createCrm({ temporary: true })
  await crm.start()
  const app = express().use(express.json()).use('/deep/path', crm.router)
  const server = app.listen(0, '127.0.0.1')
  try {
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/deep/path`
    const { token } = await registerTenant(url)
    const created = await call(url, {
      method: 'POST',
      path: '/api/v1/customers',
      token,
      body: { firstName: 'Ada' },
    })
    expect(created.body.data.profile.firstName).toBe('Ada')
    const refused = await call(url, { method: 'POST', path: '/api/v1/customers', token, body: [] })
    expect(refused.status).toBe(422)
  } finally {
    server.close()
    server.closeAllConnections()
    await crm.stop()
  }
})

it('names every wrong option at once', async () => {
  const options = {
    temporary: true,
    environment: 'production',
    jwtSecret: 'short',
    databaseUrl: 'postgres://x',
  } as const
  await expect(createCrm(options)).rejects.toThrow(/CRM_DATABASE_URL.*\n?.*CRM_JWT_SECRET/s)
})
