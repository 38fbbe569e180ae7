import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { type MailProviderServer, providerVariables, startMailProvider } from '../support/mail-provider.ts'
import { type RunningService, startService } from '../support/start-service.ts'

// A sign-in holds a code of somebody's mailbox until it is confirmed. Most that are not confirmed are forgotten by their person.

let provider: MailProviderServer
let service: RunningService
beforeAll(async () => {
  provider = await startMailProvider()
  service = await startService({
    ...providerVariables,
    CRM_MAIL_OAUTH_HOSTS: `accounts=${provider.accounts}`,
  })
})
afterAll(async () => {
  await service?.stop()
  await provider?.close()
})

/** A person who starts sign-ins at the provider of a mailbox. */
async function makePerson() {
  const inbox = await makeMailInbox(service, { transport: 'none' })
  const start = async () => {
    const path = `/api/v1/inboxes/${inbox.inboxId}/email-sign-in`
    const { status, body } = await inbox.ask('POST', path, { provider: 'google' })
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data as { authorizationUrl: string; state: string; expiresAt: string }
  }
  const grant = async ({ authorizationUrl }: { authorizationUrl: string }) =>
    (await fetch(authorizationUrl)).text()
  const confirm = async (state: string) =>
    (await inbox.ask('POST', '/api/v1/mail/oauth/google/confirm', { state })).status
  const rows = async () => {
    const userId = inbox.owner.user._id
    return (await inbox.store.sourceSignIns.list({ userId, page: 1, limit: 100 })).rows
  }
  const onlyRow = async () => {
    const [row, ...others] = await rows()
    if (row === undefined || others.length > 0) throw new Error('There is not one row')
    return row
  }
  return { ...inbox, start, grant, confirm, rows, onlyRow }
}

const across = (state: string) =>
  service.service.storage.system.across.signInStates.find(hash('sha256', state))
const later = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString()

/** Removes what has ended at this time, as the job does each minute. */
async function sweep(now: string) {
  let all = 0
  for (let removed = -1; removed !== 0; all += removed)
    removed = await service.service.storage.system.removeExpired({
      now,
      logsBefore: later(now, -1e11),
      limit: 2,
    })
  return all
}

test('a sign-in that nobody confirms is removed with its code, not before its end, and its state leads nowhere', async () => {
  const [ada, bob] = [await makePerson(), await makePerson()]
  const [waiting, granted, last] = [await ada.start(), await ada.start(), await ada.start()]
  expect(await ada.grant(granted)).toContain('Access was granted')
  const ofBob = await bob.start()
  const codes = (await ada.rows()).map(({ sealedCode }) => sealedCode !== null)
  expect(codes.filter(Boolean)).toHaveLength(1)

  await sweep(later(waiting.expiresAt, -1))
  expect(await ada.rows()).toHaveLength(3)
  expect(await across(granted.state)).toBeDefined()

  // A row of another tenant that ends later stays, however many of this one are removed.
  const { _id: id, version: expectVersion } = await bob.onlyRow()
  const set = { expiresAt: later(ofBob.expiresAt, 60_000) }
  await bob.store.commit({
    writes: [{ op: 'update', kind: 'sourceSignIns', id, expectVersion, set }],
    events: [],
  })
  expect(await sweep(later(last.expiresAt, 1))).toBeGreaterThanOrEqual(3)
  expect(await ada.rows()).toEqual([])
  const found = await Promise.all([waiting, granted, last].map(({ state }) => across(state)))
  expect(found).toEqual([undefined, undefined, undefined])
  expect(await ada.confirm(granted.state)).toBe(404)
  expect(await ada.grant(waiting)).not.toContain('Access was granted')
  expect((await bob.rows()).map((row) => row._id)).toEqual([id])
  expect(await across(ofBob.state)).toMatchObject({ tenantId: bob.owner.tenant._id })
})

test('a state that was removed leaves nothing behind: another row may have it', async () => {
  const person = await makePerson()
  const { state, expiresAt } = await person.start()
  const { version: _, ...row } = await person.onlyRow()
  const again = () =>
    person.store.commit({
      writes: [{ op: 'insert', kind: 'sourceSignIns', row: { ...row, _id: 'ssi_again' } }],
      events: [],
    })
  await expect(again()).rejects.toThrow()
  await sweep(later(expiresAt, 1))
  await again()
  expect((await across(state))?.row._id).toBe('ssi_again')
})

test('a confirmed sign-in leaves no row, and the tokens of the mailbox are stored sealed alone', async () => {
  const person = await makePerson()
  provider.person = 'ada@acme.test'
  const started = await person.start()
  await person.grant(started)
  expect(await person.confirm(started.state)).toBe(200)
  expect([await person.rows(), await across(started.state)]).toEqual([[], undefined])
  expect(JSON.stringify(await person.store.inboxes.find(person.inboxId))).not.toMatch(/1\/\/|ya29\./)
  expect(await person.confirm(started.state)).toBe(404)
})
