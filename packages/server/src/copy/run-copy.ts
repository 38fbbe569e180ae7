import type { CopyProgress, TransferTarget } from '../ports/storage-transfer.ts'
import { transferKinds } from '../storage/kinds/derive.ts'
import { type Copy, copyRows } from './copy-rows.ts'
import { formatCount } from './progress-line.ts'
import { describeDifferences, kindTable } from './report.ts'
import { compareStorages } from './verify.ts'

export interface CopyRun extends Copy {
  /** Prints the tables. */
  print(text: string): void
}

async function assertIsEmpty(target: TransferTarget): Promise<void> {
  for (const kind of transferKinds) {
    const count = await target.count(kind)
    if (count === 0) continue
    throw new Error(
      `${target.address} holds data already (${formatCount(count)} of ${kind}): copy into an empty database`,
    )
  }
}

/** Returns why no further pass may change the copy that the target holds; undefined when one may. */
function obstacle(found: CopyProgress, { source }: CopyRun): string | undefined {
  if (found.isUsed) return 'that a server has used since'
  if (found.installation === undefined && found.isFinished) return 'that is finished already'
  const isSame =
    found.installation === undefined
      ? found.source === source.address
      : found.installation === source.installation
  return isSame ? undefined : 'of another installation'
}

/** Returns the copy that the target holds; undefined for an empty target. Throws when it holds anything else. */
async function findEarlier(run: CopyRun): Promise<CopyProgress | undefined> {
  const { source, target, progress } = run
  if (source.address === target.address) throw new Error(`source and target are both ${source.address}`)
  const found = await target.findProgress()
  if (found === undefined) {
    await assertIsEmpty(target)
    return undefined
  }
  const copy = `a copy from ${found.source}, begun ${found.startedAt}`
  const reason = obstacle(found, run)
  if (reason !== undefined)
    throw new Error(`${target.address} holds ${copy}, ${reason}: copy into an empty database`)
  progress.say(
    found.isFinished
      ? `Brings the copy up to date that was begun ${found.startedAt}: only what differs is written.`
      : `Goes on with the copy that was begun ${found.startedAt}.`,
  )
  return found
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

/**
 * Makes the target equal to the source, checks and reports. Throws when anything differs afterwards. It can always be run again:
 * after a kill, and after a finished copy for what has changed since.
 */
export async function runCopy(run: CopyRun): Promise<void> {
  const { source, target, progress, print } = run
  const earlier = await findEarlier(run)
  await assertIsUnused(target)
  if (await source.isInUse()) {
    progress.say(`A server seems to work on ${source.address}. The copy may miss what it writes from now on;`)
    progress.say('the check at the end will find that. It is better to stop the server first.')
  }
  const { address, installation } = source
  const startedAt = earlier?.startedAt ?? new Date().toISOString()
  const begun: CopyProgress = { isFinished: false, source: address, installation, startedAt }
  await target.saveProgress(begun)
  const written = earlier?.isFinished ? new Set<string>() : undefined
  const copy = { ...run, bytes: { ...run.bytes, written } }
  await copyRows(copy)
  progress.say('All rows are copied. Checking both sides.')
  const comparisons = await compareStorages(copy)
  progress.end()
  print(kindTable(comparisons))
  const differences = describeDifferences(comparisons)
  if (differences.length > 0) throw new Error(['source and target differ', ...differences, again].join('\n'))
  await target.saveProgress({ ...begun, isFinished: true })
}
