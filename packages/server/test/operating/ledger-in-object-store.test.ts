import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { as, must } from '../faults/support/erasure-run.ts'
import { registerTenant } from '../support/call.ts'
import { startObjectStore } from '../support/object-store.ts'
import { runProgram, serverProgram, startProgram } from '../support/programs.ts'

test('a server writes its erasures into an object store, a restored backup erases them again, and doctor knows both', async () => {
  const store = await startObjectStore()
  onTestFinished(() => store.close())
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-ledger-objects-'))
  const env = (name: string) => ({
    PORT: '0',
    CRM_DATA_DIR: path.join(folder, name),
    CRM_ERASURE_LEDGER: store.address,
    CRM_ERASURE_LEDGER_KEY: store.key,
    CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
    CRM_SECRETS_KEY: 'the tests seal the secrets of webhooks with this',
    CRM_LOG_LEVEL: 'warn',
  })
  const run = (name: string, args: string[]) => runProgram(serverProgram, args, { env: env(name) })
  const live = await startProgram(serverProgram, ['start', '--dev'], env('live'))
  const owner = as(live.url, (await registerTenant(live.url)).token)
  const customer = await must(
    owner('POST', '/api/v1/customers', { firstName: 'Grace', email: 'grace@example.com' }),
  )
  const backup = path.join(folder, 'backup.tar')
  expect((await run('live', ['backup', backup])).code).toBe(0)
  await must(owner('DELETE', `/api/v1/customers/${customer.body.data._id}`))
  await expect.poll(() => [...store.objects.values()].join('')).toContain(customer.body.data._id)
  expect([...store.objects.values()].join('')).not.toContain('grace@example.com')
  await live.kill('SIGTERM')
  const { stderr } = await run('restored', ['restore', backup])
  expect(stderr).toMatch(
    /The ledger of erasures had 1 erasures that this data did not know; erased again: customers 1,/,
  )
  expect((await run('restored', ['doctor'])).stdout).toMatch(
    /✓ erasures .*The database knows every erasure of s3:\/\/erasures\/of\/tests/,
  )
  store.refuse(1_000, 403, 'AccessDenied')
  const refused = await startProgram(serverProgram, ['start', '--dev'], env('restored')).catch(String)
  expect(refused).toMatch(/The object store .* refused erasures\/of\/tests\/: 403 AccessDenied/)
  rmSync(folder, { recursive: true, force: true })
})
