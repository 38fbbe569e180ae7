import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Random } from '../faults/support/random.ts'
import { emptied, newPlace, startsAtMs, type World, type WorldName } from './world.ts'

const program = fileURLToPath(new URL('./served-world.ts', import.meta.url))

/** The leases of a process that died are over after this time. */
const leasesMs = 120_000
/** Of the requests that change something, one in so many. */
const oneIn = 25
const laterMs = 40

export interface KilledWorld extends World {
  kills(): number
}

/** A world whose service runs in a process of its own, and is killed while it works. */
export async function openKilledWorld(name: WorldName, random: Random): Promise<KilledWorld> {
  const place = newPlace(name)
  let nowMs = startsAtMs
  let kills = 0
  let isEnding = false
  let child: ChildProcess
  let url = ''
  let running: Promise<void>
  let exited: Promise<unknown>

  async function start(): Promise<void> {
    const { folder, databaseUrl } = place
    const args = [name, folder, String(nowMs), ...(databaseUrl === undefined ? [] : [databaseUrl])]
    child = fork(program, args, { execArgv: ['--conditions=@crmkit/source'] })
    exited = once(child, 'exit').then(() => {
      if (isEnding) return
      nowMs += leasesMs
      running = start()
    })
    const [message] = (await once(child, 'message')) as [{ url: string }]
    url = message.url
  }
  running = start()
  await running

  /** Undefined: the process died meanwhile. */
  async function settleOnce(): Promise<{ settled: number; error: string | null } | undefined> {
    const answered = new Promise<{ settled: number; error: string | null }>((resolve) => {
      child.once('message', (answer) => resolve(answer as { settled: number; error: string | null }))
    })
    child.send('settle', () => {})
    return Promise.race([answered, exited.then(() => undefined)])
  }

  return {
    name: `${name} with kills`,
    get url() {
      return url
    },
    now: () => nowMs,
    advance(ms) {
      nowMs += ms
      child.send({ advance: ms }, () => {})
    },
    async settle() {
      for (;;) {
        await running
        const answer = await settleOnce()
        // The one that exited has been replaced by now.
        if (answer === undefined) continue
        nowMs = answer.settled
        if (answer.error !== null) throw new Error(answer.error)
        return
      }
    },
    killSoon() {
      if (!random.isOneIn(oneIn)) return
      const dying = child
      setTimeout(() => {
        if (!isEnding && dying.kill('SIGKILL')) kills += 1
      }, random.below(laterMs))
    },
    async restarted() {
      // The end of a process is heard after the end of its connections.
      await exited
      await running
    },
    async stop() {
      isEnding = true
      await running
      if (child.connected) child.send('end', () => {})
      else child.kill('SIGKILL')
      await exited
      return emptied(place)
    },
    kills: () => kills,
  }
}
