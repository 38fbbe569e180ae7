import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startEmulator } from '../../../../examples/zoho-emulator/src/start-emulator.ts'
import { call, registerTenant } from '../support/call.ts'
import { type Program, serverProgram, startProgram } from '../support/programs.ts'

const base = '/api/extcrm/integrations'
const contacts = 1_500
const fileRows = 3_000
/** Rows of a file with ids, of which the last twenty have the ids of the first twenty: with more the column would hold no ids. */
const idRows = 2_000
const repeats = 20
const kills = 4

/** A server of its own that can be killed and started again on the same data. */
async function startKillable(env: Record<string, string>) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-kills-'))
  const variables = { PORT: '0', CRM_DATA_DIR: dataDir, CRM_LOG_LEVEL: 'error', ...env }
  const start = () => startProgram(serverProgram, ['start'], variables)
  let server: Program = await start()
  onTestFinished(async () => {
    await server.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  const { token } = await registerTenant(server.url)
  return {
    send: (method: string, path: string, body?: unknown) => call(server.url, { method, path, token, body }),
    upload: (path: string, form: Record<string, string | File>) =>
      call(server.url, { method: 'POST', path, token, form }),
    async killAndRestart() {
      await server.kill('SIGKILL')
      server = await start()
    },
  }
}
type Killable = Awaited<ReturnType<typeof startKillable>>

interface Run {
  _id: string
  status: string
  modules: Record<string, Record<string, number>>
}

async function runOf({ send }: Killable, id: string): Promise<Run> {
  return (await send('GET', `${base}/${id}/import/status`)).body.data.run
}

const readOf = ({ modules }: Run) => Object.values(modules).reduce((sum, { read = 0 }) => sum + read, 0)
const isOver = ({ status }: Run) => !['queued', 'running', 'paused'].includes(status)

/** Kills the server each time one of the imports has read some more pages; returns how often. */
async function killWhileReading(server: Killable, ids: readonly string[]): Promise<number> {
  const total = contacts + fileRows + idRows
  for (let kill = 1; kill <= kills; kill++) {
    const until = ((kill - Math.random()) * total) / (kills + 1)
    let runs: Run[] = []
    await expect
      .poll(async () => {
        runs = await Promise.all(ids.map((id) => runOf(server, id)))
        return runs.reduce((sum, run) => sum + readOf(run), 0)
      })
      .toBeGreaterThanOrEqual(until)
    if (runs.every(isOver)) return kill - 1
    await server.killAndRestart()
  }
  return kills
}

test('imports that are killed at any page continue, without a lost, a doubled or an overwritten record, with each row counted once and with few pages read twice', {
  timeout: 600_000,
}, async () => {
  const emulator = await startEmulator({ counts: { Contacts: contacts }, latencyMs: 100 })
  onTestFinished(() => emulator.close())
  const server = await startKillable({
    CRM_CONNECTOR_HOSTS: emulator.host,
    CRM_ZOHO_CLIENT_ID: emulator.clientId,
    CRM_ZOHO_CLIENT_SECRET: emulator.clientSecret,
    CRM_ZOHO_ACCOUNTS_SERVER: emulator.url,
  })
  const file = await server.send('POST', base, { provider: 'file' })
  const withIds = await server.send('POST', base, { provider: 'file' })
  const credentials = { refreshToken: emulator.oauth.newRefreshToken() }
  const zoho = await server.send('POST', base, { provider: 'zoho', credentials, apiDomain: emulator.url })
  const ids: string[] = [file.body.data._id, zoho.body.data._id, withIds.body.data._id]
  // Rows without ids, of which some are equal: they differ by their number alone.
  const rows = Array.from({ length: fileRows }, (_, index) => `First,Last ${index % (fileRows - 500)}`)
  const csv = new File([`firstName,lastName\n${rows.join('\n')}`], 'people.csv')
  await server.upload(`${base}/${ids[0]}/files`, { module: 'Contacts', file: csv })
  const numbered = Array.from(
    { length: idRows },
    (_, index) => `${index % (idRows - repeats)},Numbered ${index}`,
  )
  const sheet = new File([`id,lastName\n${numbered.join('\n')}`], 'numbered.csv')
  await server.upload(`${base}/${ids[2]}/files`, { module: 'Contacts', file: sheet })
  const started = await Promise.all(ids.map((id) => server.send('POST', `${base}/${id}/import`, {})))

  const killed = await killWhileReading(server, ids)
  expect(killed).toBeGreaterThan(1)
  const ended = async () => (await Promise.all(ids.map((id) => runOf(server, id)))).every(isOver)
  await expect.poll(ended).toBe(true)

  const runs = await Promise.all(ids.map((id) => runOf(server, id)))
  expect(runs.map(({ _id }) => _id)).toEqual(started.map(({ body }) => body.data.runId))
  const whole = (read: number) => ({
    status: 'completed',
    modules: { Contacts: { read, created: read, merged: 0 } },
  })
  const numberedRun = {
    status: 'completed_with_errors',
    errorCount: repeats,
    modules: { Contacts: { created: idRows - repeats, updated: 0 } },
  }
  expect(runs).toMatchObject([whole(fileRows), whole(contacts), numberedRun])
  const balanceOf = async (of: 0 | 2) =>
    (await server.send('GET', `${base}/${ids[of]}/imports/${runs[of]?._id}`)).body.data.balance
  const names = { cells: fileRows, stored: fileRows, kept: 0, named: 0, leftOut: 0 }
  expect(await balanceOf(0)).toMatchObject({
    closes: true,
    files: [
      {
        rows: { total: fileRows + 1, created: fileRows, outside: 1, failed: 0, repeated: 0 },
        columns: [
          { ...names, name: 'firstName' },
          { ...names, name: 'lastName' },
        ],
      },
    ],
  })
  expect(await balanceOf(2)).toMatchObject({
    closes: true,
    files: [{ rows: { total: idRows + 1, created: idRows - repeats, repeated: repeats, outside: 1 } }],
  })
  const { body } = await server.send('GET', '/api/v1/customers?limit=1')
  expect(body.pagination.total).toBe(fileRows + contacts + idRows - repeats)

  // The same without a kill: it reads each page once, and changes nothing.
  const pagesRead = () =>
    emulator.log.filter(({ path, query }) => path.endsWith('/Contacts') && query['sort_by'])
  const readWithKills = pagesRead()
  const withKills = readWithKills.length
  await server.send('POST', `${base}/${ids[1]}/import`, {})
  await expect.poll(ended).toBe(true)
  const [, again] = await Promise.all(ids.map((id) => runOf(server, id)))
  expect(again).toMatchObject({ modules: { Contacts: { read: contacts, unchanged: contacts } } })
  // The page that was being written, and the one that was fetched beside it.
  const withoutKills = pagesRead().length - withKills
  const reads = readWithKills.map(({ status, modifiedSince }) => `${status} since ${modifiedSince}`)
  expect(withKills, reads.join('\n')).toBeLessThanOrEqual(withoutKills + 2 * killed)
})
