import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { errorStatus, permissions, rolePermissions, roles } from '../../packages/core/src/index.ts'
import { Crm } from '../../packages/sdk/src/index.ts'
import { serverProgram, startProgram } from '../../packages/server/test/support/programs.ts'
import { consoleSteps, openPageShell } from './console.ts'
import { readPage } from './page.ts'

const atEnd: (() => unknown)[] = []
afterAll(async () => {
  for (const end of atEnd.reverse()) await end()
})

it('docs/http.md works from top to bottom, as written, with curl', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'crmkit-http-'))
  atEnd.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const env = { PORT: '0', CRM_DATA_DIR: dataDir, CRM_RATE_LIMITS: 'on' }
  const server = await startProgram(serverProgram, ['start', '--dev'], env)
  atEnd.push(() => server.kill('SIGTERM'))
  const { accessToken } = await new Crm({ baseUrl: server.url }).auth.register({
    tenantName: 'Engines',
    email: 'ada@example.com',
    password: 'correct horse battery',
  })
  const key = await new Crm({ baseUrl: server.url, accessToken }).apiKeys.create({
    name: 'http',
    permissions: [...permissions],
  })
  const shell = openPageShell({ env: {}, replace: { 'http://127.0.0.1:3000': server.url } })
  atEnd.push(() => shell.close())
  writeFileSync(join(shell.folder, 'first.key'), key.key)
  const steps = consoleSteps(readPage('docs/http.md'))
  expect(steps.length).toBeGreaterThan(18)
  for (const step of steps) await shell.run(step)
})

it('docs/http.md names only codes of the contract', () => {
  const table = readPage('docs/http.md')
    .split('\n')
    .filter((line) => /^\| \d{3}/.test(line))
  const codes = table.flatMap((line) =>
    [...line.matchAll(/`([A-Z]+_[A-Z_]+|CONFLICT)`/g)].map(([, code]) => code),
  )
  expect(codes.length).toBeGreaterThan(12)
  for (const code of codes) expect(Object.keys(errorStatus)).toContain(code)
})

it('docs/roles.md has the permissions of each role as the contract gives them', () => {
  const page = readPage('docs/roles.md')
  const [heading = ''] = page.split('\n').filter((line) => line.startsWith('| |'))
  expect(heading).toBe(`| | ${roles.join(' | ')} |`)
  for (const permission of permissions) {
    const cells = roles.map((role) => (rolePermissions[role].includes(permission) ? 'yes' : '–'))
    expect(page).toContain(`| \`${permission}\` | ${cells.join(' | ')} |`)
  }
})
