import type { CopyProgress, TransferTarget } from '../ports/storage-transfer.ts'
import { UniqueConflict } from '../storage/errors.ts'
import { transferKinds } from '../storage/kinds/derive.ts'
import { type Copy, copyRows } from './copy-rows.ts'
import { formatCount } from './progress-line.ts'
import { describeDifferences, kindTable, tenantTable } from './report.ts'
import { compareStorages } from './verify.ts'

export interface CopyRun extends Copy {
  /** Prints the tables. */
  print(text: string): void
}

const firstPosition = { kind: transferKinds[0] as (typeof transferKinds)[number], after: null }

async function assertIsEmpty(target: TransferTarget): Promise<void> {
  for (const kind of transferKinds) {
    const count = await target.count(kind)
    if (count === 0) continue
    throw new Error(
      `${target.address} holds data already (${formatCount(count)} of ${kind}): copy into an empty database`,
    )
  }
}

/** Returns where to begin or to continue. Throws when the target holds anything but an unfinished copy of this source. */
async function begin({ source, target, progress }: CopyRun): Promise<CopyProgress> {
  if (source.address === target.address) throw new Error(`source and target are both ${source.address}`)
  const found = await target.findProgress()
  if (!found) {
    await assertIsEmpty(target)
    const startedAt = new Date().toISOString()
    return { isFinished: false, source: source.address, startedAt, pass: 1, position: firstPosition }
  }
  const copy = `a copy from ${found.source}, begun ${found.startedAt}`
  if (found.isFinished) throw new Error(`${target.address} holds ${copy}, that is finished already`)
  if (found.source !== source.address)
    throw new Error(`${target.address} holds an unfinished copy from another source: ${copy}`)
  const { position, pass } = found
  const where = position === null ? 'the check' : `${position.kind}${pass > 1 ? `, pass ${pass}` : ''}`
  progress.say(`Goes on with the copy that was begun ${found.startedAt}, at ${where}.`)
  return found
}

/** Makes the next run copy every row again and delete rows that are no longer in the source. */
async function startOver(target: TransferTarget, reached: CopyProgress): Promise<void> {
  await target.saveProgress({ ...reached, pass: reached.pass + 1, position: firstPosition })
}

const again =
  'Stop everything that writes to the source, then run the same command again: it corrects the differences.'

/** Throws when a server uses the target: it would make deliveries of half-copied data, and write during the copy. */
async function assertIsUnused({ address, isInUse }: TransferTarget): Promise<void> {
  if (!(await isInUse())) return
  throw new Error(
    `a server works on ${address}: stop it, then copy; a killed server counts as stopped after 90 seconds`,
  )
}

/** Copies, checks and reports. Throws when anything differs afterwards. It can always be run again. */
export async function runCopy(run: CopyRun): Promise<void> {
  const { source, target, progress, print } = run
  const begun = await begin(run)
  await assertIsUnused(target)
  if (await source.isInUse()) {
    progress.say(`A server seems to work on ${source.address}. The copy may miss what it writes from now on;`)
    progress.say('the check at the end will find that. It is better to stop the server first.')
  }
  await target.saveProgress(begun)
  const copied = await copyRows(run, begun).catch(async (error: unknown) => {
    if (!(error instanceof UniqueConflict)) throw error
    await startOver(target, begun)
    throw new Error(`${error.message}: an earlier run has copied rows that have changed since.\n${again}`)
  })
  progress.say('All rows are copied. Checking both sides.')
  const comparisons = await compareStorages(run)
  progress.end()
  print(tenantTable(comparisons))
  print(`\n${kindTable(comparisons)}`)
  const differences = describeDifferences(comparisons)
  if (differences.length > 0) {
    await startOver(target, copied)
    throw new Error(['source and target differ', ...differences, again].join('\n'))
  }
  await target.saveProgress({ ...copied, isFinished: true })
}
