import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPackage, writeArchive } from '@crmkit/core/package-folder'
import { Crm } from '@crmkit/sdk'
import { beforeAll, expect, it } from 'vitest'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { writeProfiles } from './support/profiles.ts'
import { startServer } from './support/real-server.ts'
import { hasPseudoTerminal, type Machine, makeMachine } from './support/run-crm.ts'

const atEnd = atSuiteEnd()
let machine: Machine
let apiKey: string
let baseUrl: string

beforeAll(async () => {
  baseUrl = await startServer(atEnd)
  const body = { tenantName: 'Acme', email: 'ada@acme.test', password: 'correct horse battery' }
  const { accessToken, refreshToken } = await new Crm({ baseUrl }).auth.register(body)
  const crm = new Crm({ baseUrl, accessToken })
  for (const firstName of ['Grace', 'Alan']) await crm.customers.create({ firstName })
  apiKey = (await crm.apiKeys.create({ name: 'Shop', permissions: ['read:customers'] })).key
  machine = makeMachine(atEnd)
  const expiresAt = new Date(Date.now() + 800_000).toISOString()
  writeProfiles(machine, { default: { baseUrl, session: { accessToken, refreshToken, expiresAt } } })
})

it('crm tenants usage prints the use and the limit of every quota for an admin, the fullest first', async () => {
  const { code, stdout } = await machine.run(['tenants', 'usage'])
  expect(code).toBe(0)
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  expect(rows).toContainEqual(['customers', '2', '5000000', '0'])
  expect(rows).toContainEqual(['inboxes', '1', '1000', '0.1'])
  expect(rows[0]?.[0]).toBe('inboxes')
  const csv = (await machine.run(['tenant', 'usage', '--csv'])).stdout
  expect(csv).toMatch(/^Quota,Used,Limit,Percent\ninboxes,1,1000,0\.1\n/)
  const { usage } = JSON.parse((await machine.run(['tenant', 'usage', '--json'])).stdout)
  expect(usage).toMatchObject({ customers: { used: 2, limit: 5_000_000 } })
})

it.skipIf(!hasPseudoTerminal)('crm tenant usage shows the share of each quota as a bar', async () => {
  const { screen } = await machine.runInTerminal(['tenant', 'usage'])
  expect(screen).toContain('inboxes')
  // A tenth of a percent is far from a full bar.
  expect(screen).toContain('▏')
  expect(screen).not.toContain('█')
})

it('crm tenant usage needs a signed-in user: with an API key it ends with 4', async () => {
  const other = makeMachine()
  const { code, stderr } = await other.run(['tenant', 'usage'], {
    env: { CRM_API_KEY: apiKey, CRM_BASE_URL: baseUrl },
  })
  expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('signed-in user') })
})

it('crm tenant export downloads a whole package into a new folder, goes on after an interruption, and needs the password', async () => {
  const folder = join(machine.directory, 'shop')
  const env = { CRM_PASSWORD: 'correct horse battery' }
  const wrong = await machine.run(['tenant', 'export', folder], { env: { CRM_PASSWORD: 'another horse' } })
  expect([wrong.code, existsSync(folder)]).toEqual([5, false])
  const first = await machine.run(['tenant', 'export', folder], { env })
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('Exported the tenant to') })
  const opened = await openPackage(folder)
  await opened.verify()
  expect(opened.manifest.counts['people']?.total).toBe(2)
  expect(statSync(join(folder, 'manifest.json')).mode & 0o777).toBe(0o600)
  const again = await machine.run(['tenant', 'export', folder], { env })
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('exists already') })
  const listed = JSON.parse((await machine.run(['tenant', 'exports', '--json', '_id,status'])).stdout)
  expect(listed).toMatchObject([{ status: 'ready' }])
  // As an interrupted command leaves it: no password is asked for again.
  writeFileSync(join(folder, '.export.json'), JSON.stringify({ _id: listed[0]._id }))
  rmSync(join(folder, 'people-0001.ndjson'))
  writeFileSync(join(folder, 'agents-0001.ndjson'), 'half of it')
  expect((await machine.run(['tenant', 'export', folder])).code).toBe(0)
  await (await openPackage(folder)).verify()
  expect(existsSync(join(folder, '.export.json'))).toBe(false)
})

it('crm imports load reads the archive of a package, and leaves nothing beside it', async () => {
  const folder = join(machine.directory, 'again')
  await machine.run(['tenant', 'export', folder], { env: { CRM_PASSWORD: 'correct horse battery' } })
  const file = join(machine.directory, 'shop.crmkit.zip')
  await writeArchive(folder, file)
  const created = await machine.run(['integrations', 'create', '--name', 'Old', '--package', '--quiet'])
  const id = created.stdout.trim()
  const loaded = await machine.run(['imports', 'load', id, file, '--json', 'complete,missing'])
  expect([loaded.code, JSON.parse(loaded.stdout)]).toEqual([0, { complete: true, missing: [] }])
  const left = readdirSync(machine.directory).filter((name) => name.startsWith('.crmkit-package'))
  expect(left).toEqual([])
  const broken = join(machine.directory, 'broken.crmkit.zip')
  writeFileSync(broken, 'no archive')
  expect(await machine.run(['imports', 'load', id, broken])).toMatchObject({ code: 5 })
})
