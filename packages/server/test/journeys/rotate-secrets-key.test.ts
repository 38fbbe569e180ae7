import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { examineDatabase } from '../../src/main/compose/databases.ts'
import type { RowRef } from '../../src/ports/storage-transfer.ts'
import { keyIdOf } from '../../src/security/secret-box.ts'
import { kinds, type TransferKind } from '../../src/storage/kinds/registry.ts'
import { sealedFields } from '../../src/storage/kinds/sealed-fields.ts'
import { call, registerTenant } from '../support/call.ts'
import { runProgram, serverProgram, startProgram } from '../support/programs.ts'
import { newTestWorld, type TestWorld } from '../support/test-world.ts'

// The secrets key is rotated as docs/production.md says, with secrets of every kind in the database.

const before = 'the key of before with at least thirty-two bytes'
const after = 'the key of afterwards with thirty-two bytes too'

let dataDir: string
let world: TestWorld
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-rotate-'))
  world = newTestWorld()
})
afterEach(async () => {
  await world.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

const databaseUrl = () => world.variables['CRM_DATABASE_URL'] ?? `sqlite:${path.join(dataDir, 'crm.sqlite')}`
const environment = (secretsKey: string) => ({
  PORT: '0',
  CRM_DATA_DIR: dataDir,
  CRM_LOG_LEVEL: 'fatal',
  ...world.variables,
  CRM_SECRETS_KEY: secretsKey,
})
const start = (secretsKey: string) => startProgram(serverProgram, ['start', '--dev'], environment(secretsKey))
const run = (secretsKey: string, ...args: string[]) =>
  runProgram(serverProgram, args, { env: environment(secretsKey) })

/** Makes a webhook, an identity secret, a mailbox password, a mail key and a remembered sender. */
async function makeSecrets(url: string) {
  const { token } = await registerTenant(url)
  const ask = async (method: string, at: string, body?: object) => {
    const response = await call(url, { method, path: at, token, body })
    expect(response.status, `${method} ${at}: ${JSON.stringify(response.body)}`).toBeLessThan(300)
    return response.body.data
  }
  const [{ _id: inboxId }] = await ask('GET', '/api/v1/inboxes')
  const hook = { name: 'Shop', url: 'https://127.0.0.1:8443/hook', events: ['customer.created'] }
  const { _id: webhookId } = await ask('POST', '/api/v1/webhooks', hook)
  await ask('PUT', `/api/v1/inboxes/${inboxId}`, { email: { address: 'help@rotate.test' } })
  await ask('POST', `/api/v1/inboxes/${inboxId}/widget-secret`, {})
  const imap = { host: '127.0.0.1', port: 993, security: 'tls', user: 'help', enabled: false }
  await ask('PUT', `/api/v1/inboxes/${inboxId}`, { email: { imap } })
  await ask('PUT', `/api/v1/inboxes/${inboxId}/email-credentials`, { imapPassword: 'of the mailbox' })
  await ask('PUT', '/api/v1/users/me', { imageSender: { digest: 'a'.repeat(64), isShown: true } })
  return { token, webhookId }
}

/** Returns `kind.field` of every sealed text in the database, wherever it stands, with the ids of their keys. */
async function findSealed(): Promise<{ places: string[]; keyIds: string[] }> {
  const { rows, close } = await examineDatabase(databaseUrl(), { isThorough: false })
  const places = new Set<string>()
  const keyIds = new Set<string>()
  for (const kind of Object.keys(kinds) as TransferKind[]) {
    for (let last: RowRef | null = null; rows !== undefined; ) {
      const page = await rows.readPage(kind, last)
      for (const { record } of page) {
        for (const [field, value] of Object.entries(record)) {
          const keyId = keyIdOf(value)
          if (keyId === undefined) continue
          places.add(`${kind}.${field}`)
          keyIds.add(keyId)
        }
      }
      last = page.at(-1) ?? null
      if (last === null) break
    }
  }
  await close()
  return { places: [...places].sort(), keyIds: [...keyIds] }
}

test('every sealed text is declared, reseal moves all of them to the new key, and no start or doctor says yes before', async () => {
  const first = await start(before)
  const { token, webhookId } = await makeSecrets(first.url)
  await first.kill('SIGTERM')
  const { places } = await findSealed()
  const declared = sealedFields.map(({ kind, field }) => `${kind}.${field}`)
  expect(places.filter((place) => !declared.includes(place))).toEqual(['settings.value'])
  expect(places).toEqual(
    expect.arrayContaining([
      'inboxes.mailSecrets',
      'inboxes.sealed',
      'mailKeys.sealed',
      'users.imageSenders',
      'webhooks.sealed',
    ]),
  )

  const second = await start(`${after},${before}`)
  const rotating = await run(`${after},${before}`, 'doctor')
  expect(rotating.stdout).toMatch(
    /^! secrets .*Secrets \(.*1 of webhooks.*\) are sealed with the earlier key/m,
  )
  expect(rotating.stdout).toContain('crm-server secrets reseal')
  await second.kill('SIGTERM')

  // The earlier key is removed too soon.
  const refused = await run(after, 'doctor')
  expect(refused.code).toBe(1)
  expect(refused.stdout).toMatch(/^✗ secrets .*which CRM_SECRETS_KEY does not hold: they cannot be opened/m)
  await expect(start(after)).rejects.toThrow(/sealed with the earlier key [0-9a-f]{8}, which CRM_SECRETS_KEY/)

  const third = await start(`${after},${before}`)
  const resealed = await run(`${after},${before}`, 'secrets', 'reseal')
  expect(resealed).toMatchObject({ code: 0 })
  expect(Number(resealed.stdout)).toBe(5)
  expect((await run(`${after},${before}`, 'secrets', 'reseal')).stdout).toBe('0\n')
  await third.kill('SIGTERM')

  expect((await findSealed()).keyIds).toHaveLength(1)
  const well = await run(after, 'doctor', '--all')
  expect(well.stdout).toMatch(/^✓ secrets .*The secrets key opens the secrets in the database/m)
  const fourth = await start(after)
  const rotated = await call(fourth.url, {
    method: 'POST',
    path: `/api/v1/webhooks/${webhookId}/rotate-secret`,
    token,
    body: {},
  })
  expect(rotated.status).toBe(200)
  await fourth.kill('SIGTERM')
})
