import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStorage } from '../sqlite-storage.ts'

const leaseMs = 60_000
const module = new URL('../sqlite-storage.ts', import.meta.url).href

/** A process that takes the lease of the mails and holds it until it is killed. */
const holder = (file: string) => `
  const { openSqliteStorage } = await import(${JSON.stringify(module)})
  const storage = await openSqliteStorage({ path: ${JSON.stringify(file)} })
  const now = new Date().toISOString()
  const isHeld = await storage.system.takeLease({ name: 'mails', holder: 'first', now, leaseMs: ${leaseMs} })
  process.stdout.write(isHeld ? 'held' : 'refused')
  setInterval(() => {}, 1_000)
`

test('a process that is killed while it holds a lease holds up nobody, and one that lives keeps it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-leases-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'crm.db')
  const storage = await openSqliteStorage({ path: file })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const program = path.join(folder, 'holder.mjs')
  await writeFile(program, holder(file))
  const args = ['--conditions=@crmkit/source', program]
  const first = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(first, 'exit')
  onTestFinished(() => void first.kill('SIGKILL'))
  expect(String(await once(first.stdout, 'data'))).toBe('held')
  const take = () => {
    const now = new Date().toISOString()
    return storage.system.takeLease({ name: 'mails', holder: 'second', now, leaseMs })
  }
  expect(await take()).toBe(false)
  first.kill('SIGKILL')
  await ended
  expect(await take()).toBe(true)
})
