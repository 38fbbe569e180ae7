import type { ExaminedRows } from '../ports/diagnosis.ts'
import type { TransferRow } from '../ports/storage-transfer.ts'
import { rowsOf } from '../shared/rows-of.ts'
import { rulesOf } from '../storage/kinds/derive.ts'
import type { Kind, Records } from '../storage/kinds/registry.ts'
import type { DoneUpgrades, UpgradeNote } from '../storage/kinds/tenants.ts'
import type { Stored } from '../storage/records.ts'
import { ifReadable, readable } from '../storage/rules/readable-rows.ts'
import { serverId, settingName } from './upgrade-state.ts'
import type { UpgradeStep } from './upgrade-step.ts'

/** The rest of a step, in a database that no server has to have open. */
export interface StepState {
  step: UpgradeStep
  /** Rows with the old form. */
  rowsLeft: number
  /** Tenants that are not done, and have such rows. */
  tenantsLeft: number
  /** Whether the counting ended early, so there may be more. */
  isAtLeast: boolean
  /** Rows that could not be changed, of tenants that are done. */
  skipped: number
  /** Rows that a person has to decide about, as long as all of them exist. */
  notes: UpgradeNote[]
}

type Done = ReadonlyMap<string, DoneUpgrades>

async function readDone(rows: ExaminedRows): Promise<Done> {
  const done = new Map<string, DoneUpgrades>([[serverId, {}]])
  for await (const { id, record } of rowsOf(rows, 'settings')) {
    if (id === settingName) done.set(serverId, JSON.parse(String(record['value'])) as DoneUpgrades)
  }
  for await (const { id, record } of rowsOf(rows, 'tenants'))
    done.set(id, (record['upgrades'] ?? {}) as DoneUpgrades)
  return done
}

async function* rowsOfTenant(
  rows: ExaminedRows,
  { kind, tenantId }: { kind: Kind; tenantId: string },
): AsyncGenerator<TransferRow> {
  for await (const row of rowsOf(rows, kind, { after: { tenantId, id: '' } })) {
    if (row.tenantId !== tenantId) return
    yield row
  }
}

/** False for a row that cannot be read. */
function isOld({ kind, needs }: UpgradeStep, { record, version }: TransferRow): boolean {
  const read = () => needs({ ...readable(kind, { ...record }), version } as Stored<Records[Kind]>)
  return ifReadable(read).includes(true)
}

interface Counted {
  step: UpgradeStep
  done: Done
  rowsMax: number
}

/** One that was merged or deleted since needs no decision any more. */
async function notesOf(
  rows: ExaminedRows,
  { name, concerned }: { name: string; concerned: readonly (readonly [string, DoneUpgrades])[] },
): Promise<UpgradeNote[]> {
  const open: UpgradeNote[] = []
  for (const [tenantId, { [name]: known }] of concerned) {
    for (const note of known?.notes ?? []) {
      const missing = await rows.findMissing(
        note.kind,
        note.ids.map((id) => ({ tenantId, id })),
      )
      if (missing.length === 0) open.push(note)
    }
  }
  return open
}

async function stateOf(rows: ExaminedRows, { step, done, rowsMax }: Counted): Promise<StepState> {
  const { kind, name } = step
  const isOfServer = rulesOf(kind).owner === 'server'
  const concerned = [...done].filter(([tenantId]) => (tenantId === serverId) === isOfServer)
  const state = {
    step,
    rowsLeft: 0,
    tenantsLeft: 0,
    isAtLeast: false,
    skipped: 0,
    notes: await notesOf(rows, { name, concerned }),
  }
  for (const [, { [name]: known }] of concerned) state.skipped += known?.skipped ?? 0
  let read = 0
  for (const [tenantId] of concerned.filter(([, { [name]: known }]) => known === undefined)) {
    let old = 0
    for await (const row of rowsOfTenant(rows, { kind, tenantId })) {
      read += 1
      state.isAtLeast = read > rowsMax
      if (state.isAtLeast) break
      if (isOld(step, row)) old += 1
    }
    state.rowsLeft += old
    if (old > 0) state.tenantsLeft += 1
    if (state.isAtLeast) break
  }
  return state
}

/** Counts what is left of each step; it reads at most `rowsMax` rows for one. */
export async function readUpgrades(
  rows: ExaminedRows,
  { steps, rowsMax }: { steps: readonly UpgradeStep[]; rowsMax: number },
): Promise<StepState[]> {
  if (steps.length === 0) return []
  const done = await readDone(rows)
  const states: StepState[] = []
  for (const step of steps) states.push(await stateOf(rows, { step, done, rowsMax }))
  return states
}

/** Throws when a step that this version builds on is not done. */
export async function assertUpgraded(rows: ExaminedRows, steps: readonly UpgradeStep[]): Promise<void> {
  const required = steps.filter(({ isRequired }) => isRequired)
  for (const { step, rowsLeft } of await readUpgrades(rows, {
    steps: required,
    rowsMax: Number.POSITIVE_INFINITY,
  })) {
    if (rowsLeft === 0) continue
    throw new Error(
      `${rowsLeft} rows of ${step.kind} still have the form from before version ${step.since} (${step.name}): run the version of crm-server before this one until its \`crm-server doctor\` says that none is left`,
    )
  }
}
