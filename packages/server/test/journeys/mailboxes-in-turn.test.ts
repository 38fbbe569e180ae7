import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { MailBudgets } from '../../src/fairness/mail-budgets.ts'
import { createFetchMail, fetchMail } from '../../src/mail/in/fetch/fetch-mail.ts'
import { noMeters } from '../../src/ports/meters.ts'
import { isoTime } from '../../src/shared/clock.ts'
import { startHostileImap } from '../support/hostile-imap.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { makeImapInbox } from '../support/imap-inbox.ts'
import { silentLog } from '../support/silent-log.ts'
import { type RunningService, startService } from '../support/start-service.ts'

/** The time of the job alone: sessions go on. */
const time = { aheadMs: 0 }
const clock = { nowMs: () => Date.now() + time.aheadMs }
const minuteMs = 60_000

let certificate: TestCertificate
let service: RunningService
beforeAll(async () => {
  certificate = await makeCertificate()
  service = await startService({ CRM_MAIL_CA_FILE: certificate.caFile }, { hasJobs: false })
})
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
afterAll(async () => {
  await service?.stop()
  certificate.remove()
})

type Parts = Parameters<typeof createFetchMail>[0]

/** The job of one process with so many places for connections. */
function processWith(readersMax: number, storage = service.service.storage) {
  const parts = { ...(service.service.imports as Parts), storage, clock, log: silentLog }
  const budgetParts = { ...(service.service.imports as ConstructorParameters<typeof MailBudgets>[0]), clock }
  const budgets = new MailBudgets({ ...budgetParts, meters: noMeters, mailsPerSender: 1_000 })
  const job = createFetchMail({ ...parts, budgets, readersMax })
  ends.push(async () => job.stop?.())
  return job
}

/** A mailbox with a server and a tenant of its own. */
async function makeBox({ isRefused = () => false }: { isRefused?: () => boolean } = {}) {
  const mails: string[] = []
  const server = await startHostileImap(certificate, (command) => {
    if (/^(LOGIN|AUTHENTICATE)/.test(command) && isRefused()) return 'NO [AUTHENTICATIONFAILED] no'
    if (command.startsWith('EXAMINE'))
      return `* ${mails.length} EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT ${mails.length + 1}] ok\r\n`
    if (command.startsWith('UID SEARCH')) return `* SEARCH ${mails.map((_, at) => at + 1).join(' ')}\r\n`
    const uid = Number(/^UID FETCH (\d+)/.exec(command)?.[1])
    const mail = mails[uid - 1]
    if (mail === undefined) return undefined
    const what = command.includes('BODY')
      ? `BODY[]<0> {${mail.length}}\r\n${mail}`
      : `RFC822.SIZE ${mail.length}`
    return `* ${uid} FETCH (UID ${uid} ${what})\r\n`
  })
  const inbox = await makeImapInbox(service, { port: server.port })
  await inbox.setPassword('hunter2')
  ends.push(server.stop, async () => {
    const row = await inbox.store.inboxes.find(inbox.inboxId)
    const off = { kind: 'inboxes', id: inbox.inboxId, set: { isActive: false } } as const
    if (row === undefined) return
    const write = { ...off, op: 'update', expectVersion: row.version } as const
    await inbox.store.commit({ writes: [write], events: [] })
  })
  return {
    ...inbox,
    server,
    arrive: (subject: string) =>
      mails.push(
        `From: ada@example.com\r\nSubject: ${subject}\r\nMessage-ID: <${subject}.${inbox.user}>\r\n\r\nHi`,
      ),
    stored: async () => (await inbox.store.inboundMails.list({ page: 1, limit: 10 })).rows.length,
    dueAt: async () => (await inbox.store.inboxes.find(inbox.inboxId))?.mailboxVisit?.dueAt,
    async untilVisited(times: number) {
      await expect.poll(server.signIns).toBe(times)
      await expect.poll(server.connections).toBe(0)
      await expect.poll(async () => ((await this.dueAt()) ?? '') > isoTime(clock.nowMs())).toBe(true)
    },
  }
}

const oldestDue = () => {
  const { backlog } = fetchMail
  if ('none' in backlog) throw new TypeError('no backlog')
  return backlog.oldestDue(service.service.storage.system, isoTime(clock.nowMs()))
}

test('mailboxes without a connection are visited in turn, and one with mail gets the place of another one', async () => {
  const boxes = [await makeBox(), await makeBox(), await makeBox()]
  const job = processWith(1)
  await job.runDue()
  const connected = () => boxes.filter(({ server }) => server.connections() > 0)
  await expect.poll(() => boxes.map(({ server }) => server.signIns())).toEqual([1, 1, 1])
  await expect.poll(() => connected().length).toBe(1)
  await expect.poll(oldestDue).toBeNull()
  const [held] = connected()
  const waiting = boxes.find((box) => box !== held)!
  waiting.arrive('later')
  await job.runDue()
  time.aheadMs += 5 * minuteMs
  await job.runDue()
  await expect.poll(waiting.stored).toBe(1)
  // The first one, one visit, and the connection that stays: a visit is connected too.
  await expect.poll(waiting.server.signIns).toBe(3)
  await expect.poll(connected).toEqual([waiting])
  await expect.poll(oldestDue).toBeNull()
  time.aheadMs += 20 * minuteMs
  expect(await oldestDue()).toBe((await Promise.all(boxes.map((box) => box.dueAt()))).sort()[0])
})

test('several processes visit each mailbox once', async () => {
  const boxes = await Promise.all(Array.from({ length: 5 }, () => makeBox()))
  const jobs = [processWith(0), processWith(0), processWith(0)]
  for (const times of [1, 2]) {
    await Promise.all(jobs.map((job) => job.runDue()))
    for (const box of boxes) await box.untilVisited(times)
    await Promise.all(jobs.map((job) => job.runDue()))
    expect(boxes.map(({ server }) => server.signIns())).toEqual(boxes.map(() => times))
    time.aheadMs += 5 * minuteMs
  }
})

test('a mailbox that refuses is visited ever more rarely, by any process, and with a new password immediately', async () => {
  let isRefused = true
  const refusing = await makeBox({ isRefused: () => isRefused })
  const other = await makeBox()
  const visits: number[] = []
  for (const [at, minutes] of [5, 5, 5, 5, 3].entries()) {
    await processWith(0).runDue()
    await other.untilVisited(at + 1)
    await expect.poll(refusing.server.connections).toBe(0)
    if (visits.at(-1) !== 4) await refusing.untilVisited(at + 1)
    visits.push(refusing.server.signIns())
    time.aheadMs += minutes * minuteMs
  }
  // The fourth failure waits for eight minutes.
  expect(visits).toEqual([1, 2, 3, 4, 4])
  await processWith(0).runDue()
  await refusing.untilVisited(5)
  expect(await refusing.statusOf()).toMatchObject({
    ok: false,
    error: expect.stringMatching(/refuses the user/),
  })
  isRefused = false
  await refusing.setPassword('new')
  await processWith(0).runDue()
  await refusing.untilVisited(6)
  expect(await refusing.statusOf()).toMatchObject({ ok: true, error: null })
})

test('the mailbox of a deleted inbox, a suspended or a deleted tenant is not visited, and is no late one', async () => {
  const { system } = service.service.storage
  const [deleted, suspended, without, good] = [
    await makeBox(),
    await makeBox(),
    await makeBox(),
    await makeBox(),
  ]
  const job = processWith(0)
  await job.runDue()
  for (const box of [deleted, suspended, without, good]) await box.untilVisited(1)
  const another = await deleted.ask('POST', '/api/v1/inboxes', { name: 'Another' })
  await deleted.ask('PUT', `/api/v1/inboxes/${another.body.data._id}`, { isDefault: true })
  expect((await deleted.ask('DELETE', `/api/v1/inboxes/${deleted.inboxId}`)).status).toBeLessThan(300)
  const suspend = async (isSuspended: boolean) => {
    const id = suspended.owner.tenant._id
    const { version = 0 } = (await system.findTenant(id)) ?? {}
    const write = { op: 'update', kind: 'tenants', id, expectVersion: version, set: { isSuspended } } as const
    await system.commit(id, { writes: [write], events: [] })
  }
  await suspend(true)
  await system.removeTenantRows({ tenantId: without.owner.tenant._id, kind: 'tenants', limit: 1 })
  time.aheadMs += 5 * minuteMs
  await job.runDue()
  await good.untilVisited(2)
  expect(await oldestDue()).toBeNull()
  const signIns = () => [deleted, suspended, without].map(({ server }) => server.signIns())
  expect(signIns()).toEqual([1, 1, 1])
  await suspend(false)
  await job.runDue()
  await suspended.untilVisited(2)
  expect(signIns()).toEqual([1, 2, 1])
})

test('a connection that its process leaves is made again by another one, before the mailbox is due', async () => {
  const box = await makeBox()
  const [first, second, third] = [processWith(1), processWith(1), processWith(1)]
  await first.runDue()
  await expect.poll(async () => ((await box.dueAt()) ?? '') > isoTime(clock.nowMs())).toBe(true)
  await second.runDue()
  expect(box.server.signIns()).toBe(1)
  await first.stop?.()
  await second.runDue()
  await expect.poll(box.server.signIns).toBe(2)
  // It dies: nobody renews its lease.
  time.aheadMs += 20_000
  await third.runDue()
  await expect.poll(box.server.signIns).toBe(3)
})

test('a clock that is set back makes no mailbox wait for the time that was', async () => {
  const box = await makeBox()
  const job = processWith(0)
  await job.runDue()
  await box.untilVisited(1)
  time.aheadMs -= 3 * 60 * minuteMs
  await job.runDue()
  await expect.poll(box.server.signIns).toBe(2)
  time.aheadMs += 3 * 60 * minuteMs
})

test('a poll asks the database for no more when many mailboxes wait', async () => {
  const { storage } = service.service
  const calls: PropertyKey[] = []
  const system = new Proxy(storage.system, {
    get(target, name) {
      calls.push(name)
      return Reflect.get(target, name)
    },
  })
  const job = processWith(0, Object.assign(Object.create(storage), { system }))
  const callsOfPoll = async () => {
    calls.length = 0
    await job.runDue()
    return [...calls]
  }
  const without = await callsOfPoll()
  const boxes = await Promise.all(Array.from({ length: 12 }, () => makeBox()))
  await job.runDue()
  for (const box of boxes) await box.untilVisited(1)
  expect(await callsOfPoll()).toEqual(without)
  expect(without).toContain('across')
})
