import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Notice, Notices } from '../../src/ports/notices.ts'
import type { TenantId } from '../../src/storage/records.ts'

export interface NoticeRing {
  /** Starts one more process of the installation. */
  join(): Promise<Notices>
  /** A process of another installation on the same server. */
  joinOther(): Promise<Notices>
  /** Breaks the connection between the processes and mends it again. */
  interrupt(): Promise<void>
}

const of = (name: string): Notice => ({ type: 'credentials', tenantId: `ten_${name}` as TenantId })

/** The contract of notices between processes. `open` gives a ring that nothing else uses. */
export function describeNoticesContract(
  name: string,
  open: () => Promise<NoticeRing & { close(): Promise<void> }>,
): void {
  describe(`${name} fulfil the contract of notices`, () => {
    let ring: NoticeRing & { close(): Promise<void> }
    let members: Notices[] = []
    beforeEach(async () => {
      ring = await open()
    })
    afterEach(async () => {
      await Promise.all(members.map((member) => member.close()))
      members = []
      await ring.close()
    })
    const member = async (joined = ring.join()) => {
      const notices = await joined
      members.push(notices)
      return { notices, heard: await hear(notices) }
    }

    test('a notice of one process reaches every other process in order, and not its publisher', async () => {
      const [a, b, c] = [await member(), await member(), await member()]
      for (let i = 0; i < 100; i++) a.notices.publish(of(String(i)))
      const expected = Array.from({ length: 100 }, (_, i) => of(String(i)))
      expect(await b.heard.waitFor(100)).toEqual(expected)
      expect(await c.heard.waitFor(100)).toEqual(expected)
      b.notices.publish({ type: 'events', tenantId: 'ten_b' as TenantId })
      expect((await a.heard.waitFor(1))[0]).toEqual({ type: 'events', tenantId: 'ten_b' })
      expect(a.heard.notices).toHaveLength(1)
    })

    test('a notice never reaches another installation', async () => {
      const [a, b] = [await member(), await member()]
      const stranger = await member(ring.joinOther())
      a.notices.publish(of('ours'))
      await b.heard.waitFor(1)
      stranger.notices.publish(of('theirs'))
      a.notices.publish({ type: 'credentials', tenantId: null })
      expect(await b.heard.waitFor(2)).toEqual([of('ours'), { type: 'credentials', tenantId: null }])
      expect(stranger.heard.notices).toEqual([])
    })

    test('an interruption is reported as a gap, and notices arrive again afterwards', async () => {
      const [a, b] = [await member(), await member()]
      const gaps = b.heard.gaps()
      await ring.interrupt()
      await b.heard.waitForGap(gaps + 1)
      await a.heard.waitForGap(1)
      // The publisher's own connection may return a moment later than the listener's.
      const repeat = setInterval(() => a.notices.publish(of('again')), 20)
      try {
        expect((await b.heard.waitFor(1))[0]).toEqual(of('again'))
      } finally {
        clearInterval(repeat)
      }
    })

    test('publishing after the close is no error', async () => {
      const { notices } = await member()
      await notices.close()
      expect(() => notices.publish(of('late'))).not.toThrow()
      await notices.close()
    })
  })
}

async function hear(member: Notices) {
  const notices: Notice[] = []
  let gaps = 0
  let waiting: { isDone: () => boolean; resolve: () => void }[] = []
  const check = () => {
    for (const waiter of waiting) if (waiter.isDone()) waiter.resolve()
    waiting = waiting.filter((waiter) => !waiter.isDone())
  }
  const until = async (isDone: () => boolean) => {
    if (!isDone()) await new Promise<void>((resolve) => waiting.push({ isDone, resolve }))
  }
  await member.listen({
    onNotice: (notice) => {
      notices.push(notice)
      check()
    },
    onGap: () => {
      gaps += 1
      check()
    },
  })
  return {
    notices,
    gaps: () => gaps,
    waitFor: async (count: number) => {
      await until(() => notices.length >= count)
      return notices
    },
    waitForGap: (count: number) => until(() => gaps >= count),
  }
}
