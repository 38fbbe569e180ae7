import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FaultPoint } from '../../../src/shared/fault-points.ts'
import { parsersOf, processorMsOf } from '../../support/parsers-of.ts'
import type { Fleet } from './fleet.ts'
import type { Random } from './random.ts'

/** The moments of a mail's life, and how many passages of one life may come before the kill. */
const mailPoints = {
  'before-commit': 3,
  'during-group-commit': 12,
  'before-durable': 8,
  'after-durable': 8,
  'after-commit-before-wake': 6,
  'after-commit-before-answer': 2,
  'after-claim': 2,
  'before-send': 2,
  'after-send-before-result': 2,
  'before-result-commit': 2,
  'mail-bytes-before-row': 2,
  'mail-stored-before-answer': 2,
  'mail-read-before-commit': 2,
  'mail-body-before-response': 2,
} as const satisfies Partial<Record<FaultPoint, number>>
export type MailPoint = keyof typeof mailPoints
export const allMailPoints = Object.keys(mailPoints) as MailPoint[]

const parserCheckMs = 100
/** A parser starts in some 300 ms of processor time. */
const parserLivesMs = [100, 400, 500, 700, 1_500]

/** The kills of a run. */
export interface KillSetting {
  points: readonly MailPoint[]
  /** How often a point is passed at most before the kill; by default a number of passages of one mail. */
  passages?: number
  /** No more kills once the server has died at each point so many times. */
  each?: number
}

/** The clock of the servers, which a run moves forward. */
export class ShiftedClock {
  readonly file: string
  #aheadMs = 0
  constructor(directory: string) {
    this.file = path.join(directory, 'ahead-ms')
    writeFileSync(this.file, '0')
  }

  add(ms: number): void {
    this.#aheadMs += ms
    writeFileSync(this.file, String(this.#aheadMs))
  }
}

/** Plans one kill for each life of the server: the points round-robin. */
export class CrashPlan {
  isOn = false
  readonly reached: Partial<Record<MailPoint, number>> = {}
  readonly #random: Random
  readonly #setting: KillSetting
  #lives = 0
  #planned: MailPoint | undefined
  constructor(random: Random, setting: KillSetting) {
    this.#random = random
    this.#setting = setting
  }

  get kills(): number {
    return Object.values(this.reached).reduce((sum, count) => sum + count, 0)
  }

  /** False until the server has died at each point as often as the run asks for. */
  get isComplete(): boolean {
    const { points, each } = this.#setting
    return each !== undefined && points.every((point) => (this.reached[point] ?? 0) >= each)
  }

  /** A life begins, so the one before has died where it was planned: nothing else ends it while kills are on. */
  next() {
    if (this.#planned !== undefined && this.isOn) {
      this.reached[this.#planned] = (this.reached[this.#planned] ?? 0) + 1
      if (this.kills % 50 === 0) process.stderr.write(`${this.kills} kills\n`)
    }
    this.#planned = undefined
    if (!this.isOn || this.isComplete) return {}
    const { points, passages } = this.#setting
    const point = points[this.#lives++ % points.length] ?? 'before-commit'
    this.#planned = point
    return { crash: { point, passage: 1 + this.#random.below(passages ?? mailPoints[point]) } }
  }
}

/** Collects the deaths of a server that were no kill, while the run goes on. */
export async function findOwnDeaths(fleet: Fleet, isRunning: () => boolean): Promise<string[]> {
  const [server] = fleet.members
  const problems: string[] = []
  while (server !== undefined) {
    const signal = await server.nextDeath()
    if (!isRunning()) break
    if (signal !== 'SIGKILL') problems.push(`the server ended by itself in its life ${server.lives()}`)
  }
  return problems
}

/**
 * Kills the process that reads mails, after it has used some processor time: while it starts, at its first mail, or after
 * many. A kill by the clock would let a busy machine read no mail at all.
 */
export class ParserKills {
  count = 0
  readonly #random: Random
  #victim = { pid: 0, dieAfterMs: 0 }
  readonly #timer: NodeJS.Timeout
  constructor(fleet: Fleet, random: Random) {
    this.#random = random
    this.#timer = setInterval(() => {
      const pid = fleet.members[0]?.program()?.process.pid
      for (const parser of pid === undefined ? [] : parsersOf(pid)) this.#consider(parser)
    }, parserCheckMs)
  }

  #consider(pid: number): void {
    if (pid !== this.#victim.pid) this.#victim = { pid, dieAfterMs: this.#random.pick(parserLivesMs) }
    if (processorMsOf(pid) < this.#victim.dieAfterMs) return
    try {
      process.kill(pid, 'SIGKILL')
      this.count += 1
    } catch {
      // It has ended with its server.
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
