import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PackageManifest } from '@crmkit/core/package'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { withFolderLock } from './folder-lock.ts'
import type { OpenSource, Reader, SourceAccount } from './reader.ts'
import { type ReaderState, readState } from './reader-state.ts'
import { Reading } from './reading.ts'
import { SourceClient } from './source-client.ts'
import { SourceFiles } from './source-files.ts'

export interface ReaderRun {
  readonly reader: Reader
  readonly folder: string
  readonly account: SourceAccount
  /** Reads what changed since the last pass, into a package of its own. */
  readonly sync: boolean
  readonly namedHosts: ReadonlySet<string>
  readonly hasProxy: boolean
  readonly onRecord: (total: number, step: string) => void
  readonly onStep: (step: string) => void
  readonly onWait: (ms: number) => void
}

export interface ReaderResult {
  readonly folder: string
  readonly manifest: PackageManifest
}

/** Reads an account into a package, or goes on with one. Returns undefined when the folder is complete already. */
export async function runReader(run: ReaderRun): Promise<ReaderResult | undefined> {
  await mkdir(run.folder, { recursive: true, mode: 0o700 })
  return withFolderLock(run.folder, async () => {
    const named = { ...run, client: clientOf(run) }
    const accountName = await run.reader.accountOf(run.account, named.client)
    const begun = await assertOwnFolder(named, accountName)
    const newPass = (since: string | null) => newState(run, accountName, since)
    const pass = run.sync ? await nextPass(run, begun, newPass) : { folder: run.folder, state: begun }
    if (pass.state?.isComplete) return undefined
    const opened = await run.reader.open?.(run.account, join(run.folder, '.reader.source'))
    try {
      const state = pass.state ?? { ...newPass(null), ...(opened && { begunAt: opened.madeAt }) }
      return await readInto({ ...named, opened }, pass.folder, state)
    } finally {
      await opened?.close()
    }
  })
}

type ConnectedRun = ReaderRun & { readonly client: SourceClient; readonly opened?: OpenSource | undefined }

function clientOf({ reader, account, onWait }: ReaderRun): SourceClient {
  const base = reader.baseOf?.(account) ?? account.base
  const { productName } = reader
  return new SourceClient({ productName, base, headers: reader.headersOf(account), onWait })
}

function newState({ reader, account }: ReaderRun, accountName: string, since: string | null): ReaderState {
  return {
    product: reader.product,
    account: accountName,
    url: account.base.href,
    begunAt: new Date().toISOString(),
    since,
    isComplete: false,
    step: 0,
    mark: null,
    facts: {},
    leftOutIds: {},
    progress: { parts: [], counts: {}, leftOut: [] },
  }
}

/** A folder holds one account, and nothing that somebody else put there. */
async function assertOwnFolder(
  { reader, folder }: ReaderRun,
  account: string,
): Promise<ReaderState | undefined> {
  const state = await readState(folder)
  const conflict = (message: string) =>
    new CliError(message, {
      code: 'FOLDER_CONFLICT',
      exitCode: exitCodes.conflictOrValidation,
      hint: 'Choose another folder.',
    })
  if (state === undefined) {
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.reader.'))
    if (names.length > 0) throw conflict(`${folder} is not empty, and no reader has begun it.`)
    return undefined
  }
  const [held, given] = [`${state.product}:${state.account}`, `${reader.product}:${account}`]
  if (held !== given) throw conflict(`${folder} holds ${held}, not ${given}.`)
  return state
}

interface Pass {
  readonly folder: string
  readonly state: ReaderState | undefined
}

/** The pass that did not end, or a new one behind the last. */
async function nextPass(
  run: ReaderRun,
  begun: ReaderState | undefined,
  newPass: (since: string) => ReaderState,
): Promise<Pass> {
  if (!begun?.isComplete) {
    throw new CliError('The account was not read to its end yet.', {
      code: 'FOLDER_INCOMPLETE',
      exitCode: exitCodes.conflictOrValidation,
      hint: 'Run the command without --sync first.',
    })
  }
  const names = (await readdir(run.folder)).filter((name) => /^sync-\d{4,}$/.test(name)).sort()
  const last = names.at(-1)
  const lastState = last === undefined ? begun : await readState(join(run.folder, last))
  if (last !== undefined && !lastState?.isComplete)
    return {
      folder: join(run.folder, last),
      state: lastState ?? newPass(await sinceBefore(run, names, begun)),
    }
  const folder = join(run.folder, `sync-${String(numberOf(last) + 1).padStart(4, '0')}`)
  return { folder, state: newPass(lastState?.begunAt ?? begun.begunAt) }
}

/** The beginning of the pass before the last, whose state a kill kept from being written. */
async function sinceBefore(run: ReaderRun, names: readonly string[], begun: ReaderState): Promise<string> {
  const before = names.at(-2)
  const state = before === undefined ? begun : await readState(join(run.folder, before))
  return state?.begunAt ?? begun.begunAt
}

function numberOf(name: string | undefined): number {
  return name === undefined ? 0 : Number(name.slice('sync-'.length))
}

async function readInto(run: ConnectedRun, folder: string, state: ReaderState): Promise<ReaderResult> {
  const { reader, client, opened, namedHosts, hasProxy } = run
  const { base, headers } = client.options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let title = ''
  const reading = await Reading.open({
    folder,
    state,
    client,
    files: opened?.files ?? new SourceFiles({ base, headers, namedHosts, hasProxy }),
    onRecord: (total) => run.onRecord(total, title),
  })
  try {
    await reading.save(state.mark)
    for (const step of reader.steps.slice(reading.step)) {
      title = step.title
      run.onStep(title)
      await step.run(reading)
      await reading.endStep()
    }
    return { folder, manifest: await reading.finish() }
  } finally {
    await reading.close()
  }
}
