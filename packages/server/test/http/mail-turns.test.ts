import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { firstTryMs } from '../../src/mail/in/mail-turns.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { parsersOf } from '../support/parsers-of.ts'
import { pauseProcess } from '../support/pause-process.ts'
import { useService } from '../support/use-service.ts'

const service = useService()

/** Posts a mail without waiting for the decision about it. Returns what reads that. */
async function post({ token, mailOf, ask }: Awaited<ReturnType<typeof makeMailInbox>>) {
  const response = await fetch(`${service.url}/api/v1/inbound/email/${token}`, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822' },
    body: mailOf({}),
  })
  const { data } = (await response.json()) as { data: { _id: string } }
  return async () => (await ask('GET', `/api/v1/inbound-mails/${data._id}`)).body.data
}

test('a mail that its parser never ends holds up no mail of another tenant, and is read again behind those of its own inbox', async () => {
  const slow = await makeMailInbox(service)
  const neighbour = await makeMailInbox(service)
  expect(await slow.receive()).toMatchObject({ status: 'processed' })
  const [first] = parsersOf(process.pid)
  await pauseProcess(first as number)

  // The mail gets the parser that was used last, which stands still.
  const stalled = await post(slow)
  await expect.poll(() => service.service.storage.system.across.dueMails.first()).toBeDefined()
  const others = [await post(slow), await post(slow)]
  expect(await neighbour.receive()).toMatchObject({ status: 'processed' })
  for (const read of [stalled, ...others]) expect(await read()).toMatchObject({ status: 'received' })

  for (const read of [stalled, ...others])
    await expect.poll(async () => (await read()).status).toBe('processed')
  expect(parsersOf(process.pid)).not.toContain(first)
  const times = await Promise.all([stalled, ...others].map(async (read) => (await read()).processedAt))
  expect(times.toSorted()).toEqual([times[1], times[2], times[0]])
})

test('a database that stands still for longer than a mail may be read lets no good mail be read again or parked', async () => {
  const inbox = await makeMailInbox(service)
  const { storage } = service.service
  const { forTenant } = storage
  onTestFinished(() => {
    storage.forTenant = forTenant
  })
  let tries = 0
  storage.forTenant = (tenantId: TenantId) => {
    const store = forTenant(tenantId)
    const commit: typeof store.commit = async (change) => {
      const isMail = change.writes.some(({ kind }) => kind === 'messages')
      if (isMail) tries += 1
      if (isMail && tries === 1) await setTimeout(firstTryMs + 500)
      return store.commit(change)
    }
    return { ...store, commit }
  }
  expect(await inbox.receive()).toMatchObject({ status: 'processed', reason: null })
  expect(tries).toBe(1)
  const { body } = await inbox.ask('GET', '/api/v1/conversations')
  expect(body.data).toHaveLength(1)
})
