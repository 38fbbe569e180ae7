import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findLastingPort } from '../../packages/server/test/support/free-port.ts'
import { consoleSteps, openPageShell } from './console.ts'
import { readPage, root } from './page.ts'

const atEnd: (() => unknown)[] = []
afterAll(async () => {
  for (const end of atEnd.reverse()) await end()
})

it('docs/production.md: the commands lead from nothing to a server with its first tenant and a backup', async () => {
  const machine = mkdtempSync(join(tmpdir(), 'crmkit-production-'))
  atEnd.push(() => rmSync(machine, { recursive: true, force: true }))
  for (const folder of ['etc', 'lib']) mkdirSync(join(machine, folder))
  const port = String(await findLastingPort())
  const shell = openPageShell({
    env: { PORT: port, CRM_PASSWORD: 'correct horse battery' },
    replace: {
      '/etc/crmkit': join(machine, 'etc'),
      '/var/lib/crmkit': join(machine, 'lib'),
      'deploy/steps.sh': join(root, 'deploy/steps.sh'),
      'http://127.0.0.1:3000': `http://127.0.0.1:${port}`,
    },
  })
  atEnd.push(() => shell.close())
  writeFileSync(join(shell.folder, 'new.txt'), 'another horse battery\n')
  const steps = consoleSteps(readPage('docs/production.md'))
  expect(steps.length).toBeGreaterThan(15)
  for (const step of steps) {
    if (step.command === 'crm-server start') await shell.start(step)
    else await shell.run(step)
  }
})
