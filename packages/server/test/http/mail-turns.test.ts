import { expect, test } from 'vitest'
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
