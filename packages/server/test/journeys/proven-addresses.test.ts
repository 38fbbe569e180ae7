import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { type RunningService, startService } from '../support/start-service.ts'

let dns: DnsServer
let running: RunningService
let domain: string
beforeAll(async () => {
  dns = await startDnsServer()
  running = await startService({}, { nameServers: [dns.address] })
})
afterAll(async () => {
  await running.stop()
  await dns.stop()
})
beforeEach(() => {
  dns.isSilent = false
  domain = `d${randomUUID().slice(0, 8)}.test`
})

/** The inbox of a new tenant that has entered the address. */
async function enterAddress() {
  const { token } = await registerTenant(running.url)
  const ask = (method: string, path: string, body?: unknown) =>
    call(running.url, { method, path, token, ...(body !== undefined && { body }) })
  const id: string = (await ask('GET', '/api/v1/inboxes')).body.data[0]._id
  const path = `/api/v1/inboxes/${id}`
  const entered = await ask('PUT', path, { email: { address: `support@${domain}`, signature: `of ${id}` } })
  expect(entered.status).toBe(200)
  return {
    record: `crmkit-verify=${id}`,
    verify: async () => {
      const { status, body } = await ask('POST', `${path}/verify-domain`)
      return [status, status === 200 ? body.data.email.domainProvenAt !== null : body.code]
    },
    email: async () => (await ask('GET', path)).body.data.email,
    listed: async () => (await ask('GET', '/api/v1/inboxes')).body.data[0].email,
    audit: async () =>
      (await ask('GET', '/api/tenant/audit-log')).body.data.map(
        ({ action, actor }: { action: string; actor: { type: string } }) => `${action} by ${actor.type}`,
      ),
  }
}

const publish = (...records: string[]) => dns.records.set(`_crmkit.${domain}`, records)

test('an address that several tenants have entered belongs to the one that proves it, and the others see that and keep their settings', async () => {
  const [stranger, owner] = [await enterAddress(), await enterAddress()]
  expect((await stranger.email()).addressProvenElsewhere).toBe(false)
  publish(owner.record)
  expect(await stranger.verify()).toEqual([200, false])
  expect(await owner.verify()).toEqual([200, true])
  const signature = expect.stringMatching(/^of inb_/)
  const seen = { address: `support@${domain}`, addressProvenElsewhere: true, domainProvenAt: null, signature }
  expect(await stranger.email()).toMatchObject(seen)
  expect(await stranger.listed()).toMatchObject(seen)
  expect((await owner.email()).addressProvenElsewhere).toBe(false)
})

test('a new owner of a domain takes an address over once the former one’s record is deleted [own.mail.domain]', async () => {
  const [former, next] = [await enterAddress(), await enterAddress()]
  publish(former.record)
  expect(await former.verify()).toEqual([200, true])
  publish(former.record, next.record)
  expect(await next.verify()).toEqual([409, 'CONFLICT'])
  expect((await former.email()).domainProvenAt).not.toBeNull()

  publish(next.record)
  dns.isSilent = true
  expect(await next.verify()).toEqual([200, false])
  dns.isSilent = false
  expect(await next.verify()).toEqual([200, true])
  expect(await former.email()).toMatchObject({ addressProvenElsewhere: true, domainProvenAt: null })
  expect(await former.audit()).toContain('inbox.domainChecked by system')
  expect(await next.verify()).toEqual([200, true])
  expect(await former.verify()).toEqual([200, false])
  expect((await next.email()).domainProvenAt).not.toBeNull()
})

test('of two owners whose records change places at one moment, one has the address', async () => {
  const [one, other] = [await enterAddress(), await enterAddress()]
  publish(one.record, other.record)
  const answers = await Promise.all([one.verify(), other.verify()])
  expect(answers.map(([status]) => status).toSorted()).toEqual([200, 409])
  const proven = [await one.email(), await other.email()].filter(
    ({ domainProvenAt }) => domainProvenAt !== null,
  )
  expect(proven).toHaveLength(1)
})
