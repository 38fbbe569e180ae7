import { expect } from 'vitest'
import type { MailInbox } from './mail-inbox.ts'

type Asks = Pick<MailInbox, 'ask'>

export const doorsOf = async ({ ask }: Asks) => (await ask('GET', '/api/v1/doors')).body.data
export const doorEventsOf = async ({ ask }: Asks) => {
  const types = 'inbox.failing,inbox.recovered'
  const { data } = (await ask('GET', `/api/v1/events?after=earliest&types=${types}`)).body
  return data.map(({ event, data: { part } }: { event: string; data: { part: string } }) => [event, part])
}

/** A short while has been clean: fifteen minutes are no wait for a test. */
export async function fifteenCleanMinutes(
  { store, inboxId }: Pick<MailInbox, 'store' | 'inboxId'>,
  door: string,
) {
  const id = `${inboxId}.${door}`
  const read = () => store.doors.find(id)
  await expect.poll(async () => (await read())?.worksSince ?? null).not.toBeNull()
  const row = await read()
  const longAgo = '2026-01-01T00:00:00.000Z'
  const set = { worksSince: longAgo, checkAt: longAgo }
  const write = { op: 'update', kind: 'doors', id, expectVersion: row?.version ?? 0, set } as const
  await store.commit({ writes: [write], events: [] })
}
