import { type Arbitrary, array, assert, asyncProperty } from 'fast-check'

/** To make a list that failed shorter, where the run itself has no end. */
const shortenForMs = 60_000
/** Long enough for some hundred steps on a busy machine; the remaining sequences belong to another run. */
const usualRunForMs = 8_000

interface ModelRun<Action> {
  name: string
  action: Arbitrary<Action>
  /** Longer where a step is slow. */
  runForMs?: number
  /** Applies the actions to a fresh subject; throws when it differs from its model. */
  walk(actions: readonly Action[]): Promise<void>
}

/**
 * Applies as many lists of actions as fit into the time. A list that fails is made shorter as long as it still fails,
 * and reported with the seed and the path that repeat it: `CRM_MODEL_SEED=… CRM_MODEL_PATH=…`. `CRM_MODEL_WALKS=…` takes that many
 * lists, however long it takes.
 */
export async function runModel<Action>({
  name,
  action,
  walk,
  runForMs = usualRunForMs,
}: ModelRun<Action>): Promise<void> {
  const seed = Number(process.env['CRM_MODEL_SEED'] ?? Date.now() % 2 ** 31)
  const walksAsked = process.env['CRM_MODEL_WALKS']
  let endsAt = walksAsked === undefined ? performance.now() + runForMs : Number.POSITIVE_INFINITY
  let walks = 0
  let steps = 0
  const property = asyncProperty(
    array(action, { minLength: 1, maxLength: 30, size: 'max' }),
    async (actions) => {
      // The first walk always ends: on a busy machine it may take longer than the whole time.
      if (walks > 0 && performance.now() > endsAt) return
      walks += 1
      steps += actions.length
      try {
        await walk(actions)
      } catch (error) {
        endsAt = Math.min(endsAt, performance.now() + shortenForMs)
        throw error
      }
    },
  )
  try {
    const path = process.env['CRM_MODEL_PATH'] ?? ''
    await assert(property, { seed, path, numRuns: Number(walksAsked ?? 200) })
  } finally {
    const world = process.env['CRM_TEST_WORLD']
    process.stdout.write(`${name} model on ${world}: ${walks} walks, ${steps} steps, seed ${seed}\n`)
  }
}
