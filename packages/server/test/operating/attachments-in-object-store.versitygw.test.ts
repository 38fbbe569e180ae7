import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { as, must } from '../faults/support/erasure-run.ts'
import { registerTenant, upload } from '../support/call.ts'
import { type Program, runProgram, serverProgram, startProgram } from '../support/programs.ts'
import { startVersitygw, type Versitygw } from '../support/versitygw.ts'

let store: Versitygw
beforeAll(async () => {
  store = await startVersitygw()
})
afterAll(() => store.stop())

const fileOf = (text: string) => new File([text], `${text}.txt`, { type: 'text/plain' })
const textOf = async (url: string, { token, id }: { token: string; id: string }) => {
  const response = await fetch(`${url}/api/v1/attachments/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return response.text()
}

/** A tenant with files in the directory beside its database, and the settings of an object store. */
async function newInstallation() {
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-object-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const place = await store.makeBucket()
  const inStore = { CRM_ATTACHMENTS: place.address, CRM_ATTACHMENTS_KEY: place.key }
  const env = (name: string) => ({
    PORT: '0',
    CRM_DATA_DIR: path.join(folder, name),
    CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
    CRM_SECRETS_KEY: 'the tests seal the secrets of webhooks with this',
    CRM_LOG_LEVEL: 'warn',
  })
  return {
    folder,
    place,
    start: (settings = {}) =>
      startProgram(serverProgram, ['start', '--dev'], { ...env('live'), ...settings }),
    run: (args: string[], settings: Record<string, string> = inStore, name = 'live') =>
      runProgram(serverProgram, args, { env: { ...env(name), ...settings } }),
    inStore,
    objects: async () => {
      const text = await store.ask(`${new URL(place.address).host}?list-type=2`)
      return [...text.matchAll(/<Key>of\/tests\/([^<]*)<\/Key>/g)].map(([, name]) => name)
    },
    filesBeside: () =>
      readdirSync(path.join(folder, 'live', 'attachments'), { recursive: true, withFileTypes: true }).filter(
        (entry) => entry.isFile(),
      ).length,
  }
}

/** Stores a file in a message of a new customer, and returns its id and how a server gives it back. */
async function sendFile({ url }: Program, token: string, text: string) {
  const owner = as(url, token)
  const { _id: id } = await upload(url, { token, file: fileOf(text) })
  const inboxId = (await owner('GET', '/api/v1/inboxes')).body.data[0]._id
  const customerId = (await must(owner('POST', '/api/v1/customers', { firstName: text }))).body.data._id
  const message = { content: text, attachments: [id] }
  await must(owner('POST', '/api/v1/conversations', { subject: text, inboxId, customerId, message }))
  const erase = async (at: string) => {
    await must(as(at, token)('DELETE', `/api/v1/customers/${customerId}`))
  }
  return { id: id as string, erase, read: (at: string) => textOf(at, { token, id }) }
}

test('files move into an object store while a server serves them, back again, and what is erased goes from both places', async () => {
  const { start, run, inStore, objects, filesBeside } = await newInstallation()
  const first = await start()
  const { token } = await registerTenant(first.url)
  const [one, two] = [await sendFile(first, token, 'one'), await sendFile(first, token, 'two')]
  await first.kill('SIGTERM')
  expect(filesBeside()).toBe(2)
  const second = await start(inStore)
  const three = await sendFile(second, token, 'three')
  expect(await objects()).toHaveLength(1)
  expect([await one.read(second.url), await three.read(second.url)]).toEqual(['one', 'three'])
  expect((await run(['doctor'])).stdout).toMatch(/! store +Files of before are still beside the rows/)
  await two.erase(second.url)
  await expect.poll(filesBeside).toBe(1)
  const moved = await run(['attachments', 'move'])
  expect(moved).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^1 files with 0\.0 MB are now s3:.*; 0 are still/),
  })
  expect([filesBeside(), (await objects()).length]).toEqual([0, 2])
  expect(await one.read(second.url)).toBe('one')
  const examined = await run(['doctor', '--all'])
  expect(examined.stdout).toMatch(/✓ store +A small object can be written, read and removed in s3:/)
  expect(examined.stdout).toMatch(/✓ attachments +The bytes of all 2 attachments are stored in full/)
  await one.erase(second.url)
  await expect.poll(objects).toEqual([expect.stringContaining(three.id)])
  expect((await run(['attachments', 'move', '--back'])).stderr).toMatch(/uses .*: stop it first/)
  await second.kill('SIGTERM')
  expect((await run(['attachments', 'move', '--back'])).stderr).toMatch(
    /^1 files .* are now beside the rows; 0 are/,
  )
  const third = await start()
  expect(await three.read(third.url)).toBe('three')
  expect(await objects()).toEqual([])
  await third.kill('SIGTERM')
}, 60_000)

test('a backup says which files it does not hold, and is restored only where the object store is set', async () => {
  const { folder, start, run, inStore } = await newInstallation()
  const live = await start(inStore)
  const { token } = await registerTenant(live.url)
  const one = await sendFile(live, token, 'one')
  const file = path.join(folder, 'backup.tar')
  const made = await run(['backup', file])
  expect(made.stderr).toMatch(
    /the bytes of 0 attachments\.\nIt does not hold the bytes of 1 attachments .* in s3:/,
  )
  expect(made.code).toBe(0)
  await live.kill('SIGTERM')
  const refused = await run(['restore', file], {}, 'restored')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/Set CRM_ATTACHMENTS/)])
  const restored = await run(['restore', file], inStore, 'restored')
  expect(restored.stderr).toMatch(/The bytes of 1 attachments were not in the backup/)
  const again = await start({ ...inStore, CRM_DATA_DIR: path.join(folder, 'restored') })
  expect(await one.read(again.url)).toBe('one')
  await again.kill('SIGTERM')
}, 60_000)

test('while the store is away a file is refused for now, everything else is served, and doctor names what is wrong', async () => {
  const { start, run, inStore, place } = await newInstallation()
  const live = await start({ ...inStore, CRM_METRICS_PORT: '0', CRM_LOG_LEVEL: 'info' })
  const metrics = /"url":"(\S+?)","msg":"The metrics are served"/.exec(live.stderr())?.[1] ?? ''
  const { token } = await registerTenant(live.url)
  const one = await sendFile(live, token, 'one')
  await store.kill()
  const failed = async () => {
    const text = await (await fetch(metrics)).text()
    return /crm_attachment_requests_total\{request="write",result="failed"\} (\d+)/.exec(text)?.[1]
  }
  expect(await failed()).toBe('0')
  await expect(upload(live.url, { token, file: fileOf('two') })).rejects.toThrow(
    /STORAGE_UNAVAILABLE|503|UNAVAILABLE/,
  )
  expect(await failed()).toBe('1')
  await must(as(live.url, token)('POST', '/api/v1/customers', { firstName: 'Grace' }))
  expect((await fetch(`${live.url}/api/v1/health`)).status).toBe(200)
  expect((await run(['doctor'])).stdout).toMatch(/✗ store .*cannot be reached/)
  await store.start()
  expect(await one.read(live.url)).toBe('one')
  const wrong = await run(['doctor'], { ...inStore, CRM_ATTACHMENTS_KEY: `${place.key}x` })
  expect(wrong.stdout).toMatch(/✗ store .*403 SignatureDoesNotMatch/)
  await live.kill('SIGTERM')
}, 60_000)
