import { createRandom } from '../faults/support/random.ts'
import type { Model } from './model.ts'
import { firstDifference } from './responses.ts'
import type { Step, StepKind } from './step-kind.ts'
import { cannedReplySteps } from './steps/canned-replies.ts'
import { chatSteps } from './steps/chat.ts'
import { conversationSteps, expectConversation, withoutCounts } from './steps/conversations.ts'
import { customerSteps, expectCustomer, withoutContact } from './steps/customers.ts'
import { doorSteps, dueDrafts, sendPlanned } from './steps/doors.ts'
import { lookAtAll, lookSteps } from './steps/looks.ts'
import { mailSteps } from './steps/mails.ts'
import { manyConversationSteps } from './steps/many-conversations.ts'
import { manyCustomerSteps } from './steps/many-customers.ts'
import { mergingSteps } from './steps/merging.ts'
import { noteSteps } from './steps/notes.ts'
import { readingSteps } from './steps/reading.ts'
import { readSteps } from './steps/reads.ts'
import { requestSteps } from './steps/requests.ts'
import { teamSteps } from './steps/team.ts'
import { timeSteps, wake } from './steps/time.ts'
import { timelineSteps } from './steps/timeline.ts'
import { viewSteps } from './steps/views.ts'
import { markerPattern, NothingToDo, Walker } from './walker.ts'
import type { World } from './world.ts'

const named = {
  ...customerSteps,
  ...cannedReplySteps,
  ...viewSteps,
  ...timelineSteps,
  ...mergingSteps,
  ...manyCustomerSteps,
  ...noteSteps,
  ...conversationSteps,
  ...manyConversationSteps,
  ...doorSteps,
  ...chatSteps,
  ...mailSteps,
  ...teamSteps,
  ...requestSteps,
  ...readingSteps,
  ...readSteps,
  ...lookSteps,
  ...timeSteps,
}
export type StepName = keyof typeof named
const kinds: Readonly<Record<string, StepKind>> = named

/** Chooses the next step by the seed and by what the model knows. */
export function chooseStep(model: Model, seed: number, n: number): Step {
  const random = createRandom(seed).fork(n)
  const total = Object.values(kinds).reduce((sum, { weight }) => sum + weight, 0)
  for (;;) {
    let place = random.below(total)
    for (const [name, kind] of Object.entries(kinds)) {
      place -= kind.weight
      if (place >= 0) continue
      const given = kind.choose({ random, model })
      // As it is read back from a printed list.
      if (given) return { n, do: name, with: JSON.parse(JSON.stringify(given)) }
      break
    }
  }
}

/** The finding of a walk: the step after which the service and the model, or two databases, differ. */
export class Difference extends Error {
  readonly step: number
  readonly world: string

  constructor({ message, step, world }: { message: string; step: number; world: string }) {
    super(message)
    this.step = step
    this.world = world
  }
}

const stepMs = 1_000
const filesMs = 8 * 24 * 3600 * 1000

async function takeStep(walker: Walker, step: Step): Promise<void> {
  const { world } = walker
  const kind = kinds[step.do]
  if (kind === undefined) throw new Error(`There is no step ${step.do}`)
  world.advance(stepMs)
  walker.begun(step.n)
  const isWoken = wake(walker)
  if (isWoken || dueDrafts(walker).length > 0) await world.settle()
  await sendPlanned(walker)
  try {
    await kind.run(walker, step.with, step.n)
  } catch (error) {
    if (!(error instanceof NothingToDo)) throw error
  }
  await world.settle()
  wake(walker)
  await sendPlanned(walker)
  await expectEvents(walker)
}

/** The step has sent the events that the contract names, each once, and no other. */
async function expectEvents(walker: Walker): Promise<void> {
  const mayHaveSome = walker.world.takeEvents?.() ?? true
  if (!mayHaveSome && walker.events.length === 0) return
  const events = await walker.newEvents()
  const sent = events.map(({ event, data }) => `${event} ${walker.nameOf(data._id)}`)
  walker.same(sent.toSorted(), walker.events.toSorted(), 'the events of the step')
  // The last event about a row shows it as it is now.
  const last = new Map(events.map((event) => [walker.nameOf(event.data._id) ?? '', event]))
  for (const [name, { event, data }] of last) {
    if (/^customer\.(created|updated)$/.test(event)) expectCustomer(walker, data, name, withoutContact)
    if (/^conversation\.(?!deleted)/.test(event)) expectConversation(walker, data, name, withoutCounts)
  }
}

function differenceOf(walkers: readonly Walker[]): string | undefined {
  const [first, second] = walkers
  if (first === undefined || second === undefined) return undefined
  const difference = firstDifference(first.responses.list, second.responses.list)
  first.responses.list.length = 0
  second.responses.list.length = 0
  return difference && `${first.world.name} | ${second.world.name}: ${difference}`
}

export interface Walked {
  readonly steps: readonly Step[]
  readonly difference: Difference | undefined
}

export interface Walking {
  worlds: readonly World[]
  /** Returns the step that follows; undefined: none. */
  next(model: Model, n: number): Step | undefined
}

/** Walks through fresh worlds, and ends them. */
export async function walk({ worlds, next }: Walking): Promise<Walked> {
  const walkers = worlds.map((world) => new Walker(world))
  const steps: Step[] = []
  let difference: Difference | undefined
  const inEach = (work: (walker: Walker) => Promise<void>) => inAll(walkers, work)
  try {
    await inEach((walker) => walker.begin())
    for (let n = 1; ; n++) {
      const step = next((walkers[0] as Walker).model, n)
      if (step === undefined) break
      steps.push(step)
      await inEach((walker) => takeStep(walker, step))
      const differs = differenceOf(walkers)
      if (differs !== undefined) throw new Error(`The responses of two databases differ\n${differs}`)
    }
    await inEach(async (walker) => {
      walker.begun(0)
      await lookAtAll(walker)
      // Uploaded files of imports stay for a week.
      walker.world.advance(filesMs)
      await walker.world.settle()
    })
  } catch (error) {
    const world = error instanceof FailedWorld ? error.world : worlds.map(({ name }) => name).join(', ')
    const message = error instanceof Error ? error.message : String(error)
    difference = new Difference({ message, step: steps.length, world })
  }
  for (const [index, world] of worlds.entries()) {
    const stored = await world.stop()
    difference ??= leftOver(walkers[index] as Walker, stored, steps.length)
  }
  return { steps, difference }
}

/** Does the same in all worlds at once, and throws the failure of the first that fails. */
async function inAll(walkers: readonly Walker[], work: (walker: Walker) => Promise<void>): Promise<void> {
  const outcomes = await Promise.allSettled(walkers.map(work))
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue
    throw new FailedWorld(walkers[index]?.world.name ?? '', outcome.reason)
  }
}

class FailedWorld extends Error {
  readonly world: string

  constructor(world: string, cause: unknown) {
    super(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause), { cause })
    this.world = world
  }
}

/** Texts that an erasure has removed are nowhere in the database and its files. */
function leftOver({ model, world }: Walker, stored: string, step: number): Difference | undefined {
  const held = new Set(stored.match(markerPattern))
  const left = [...model.erased].filter((marker) => held.has(marker))
  if (left.length === 0) return undefined
  const around = left.slice(0, 3).map((marker) => {
    const at = stored.indexOf(marker)
    return `${marker}: …${stored.slice(Math.max(0, at - 300), at + 100)}…`
  })
  const message = `${left.length} erased texts are still stored:\n${around.join('\n')}`
  return new Difference({ message, step, world: world.name })
}
