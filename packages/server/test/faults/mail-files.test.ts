import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { startFleet } from './support/fleet.ts'
import { ShiftedClock } from './support/mail-kills.ts'
import { sqliteWorld } from './support/worlds.ts'

const file = Buffer.alloc(300_000, 'the bytes of a file, ')
const mail = [
  'From: Ada <ada@example.com>',
  'Subject: Lamp',
  'Message-ID: <lamp@example.com>',
  'Date: Mon, 05 Jan 2026 10:00:00 +0000',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  '',
  'It is dark',
  '--b',
  'Content-Type: application/pdf; name=a.pdf',
  'Content-Transfer-Encoding: base64',
  '',
  file.toString('base64'),
  '--b--',
].join('\r\n')
/** The leases of a killed process have ended. */
const beyondLeasesMs = 130_000
/** Unfinished uploads are removed after an hour. */
const beyondUploadsMs = 2 * 3_600_000

it('a file of a mail is stored once when the server dies before the store has taken it, and what it left is removed', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-mail-files-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const clock = new ShiftedClock(directory)
  const world = sqliteWorld(directory)
  const point = 'mail-file-before-adoption'
  let isArmed = false
  const planFor = () => ({ clockFile: clock.file, ...(isArmed && { crash: { point, passage: 1 } as const }) })
  const fleet = await startFleet([{ name: 'server', variables: world.variables, planFor }])
  const [server] = fleet.members
  const stored = () =>
    readdirSync(path.join(directory, 'attachments'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes('att_'),
    )
  const spooled = () => stored().filter((name) => name.startsWith('spool'))
  try {
    const { token } = await registerTenant(await fleet.whenUp())
    const ask = async (method: string, at: string, body?: unknown) =>
      (await call(await fleet.whenUp(), { method, path: at, token, ...(body !== undefined && { body }) }))
        .body.data
    const [{ _id: inboxId }] = await ask('GET', '/api/v1/inboxes')
    const { inboundToken } = await ask('POST', `/api/v1/inboxes/${inboxId}/inbound-token`, {})
    isArmed = true
    await server?.kill()
    isArmed = false
    const url = await fleet.whenUp()
    const death = server?.nextDeath()
    await fetch(`${url}/api/v1/inbound/email/${inboundToken}`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822' },
      body: mail,
    }).catch(() => undefined)
    expect(await death).toBe('SIGKILL')
    expect(spooled()).toHaveLength(1)
    clock.add(beyondLeasesMs)
    const conversations = async () => ask('GET', '/api/v1/conversations')
    await expect.poll(async () => (await conversations()).length, { timeout: 60_000 }).toBe(1)
    const [{ _id }] = await conversations()
    const messages = await ask('GET', `/api/v1/conversations/${_id}/messages`)
    expect(messages).toMatchObject([{ attachments: [{ filename: 'a.pdf', size: file.length }] }])
    const response = await fetch(`${await fleet.whenUp()}${messages[0].attachments[0].url}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true)
    clock.add(beyondUploadsMs)
    await expect.poll(spooled, { timeout: 60_000 }).toEqual([])
    // The mail as it arrived, and its file.
    expect(stored()).toHaveLength(2)
  } finally {
    await fleet.stop()
    expect(await world.integrityProblems()).toEqual([])
  }
}, 180_000)
