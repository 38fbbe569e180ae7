import { findPosition, savePosition } from '../jobs/ledger-position.ts'
import type { AddressDigests, ErasureLedger, ErasureLine, LedgerPart } from '../ports/erasure-ledger.ts'
import type { Log } from '../ports/log.ts'
import { isoTime } from '../shared/clock.ts'
import { passFaultPoint } from '../shared/fault-points.ts'
import { readTenantRows } from '../shared/read-tenant-rows.ts'
import type { TaskRecord } from '../storage/kinds/tasks.ts'
import { type ErasedHolder, eraseAddresses } from './erase-addresses.ts'
import { type ErasingParts, type ErasingTenant, eraseLine } from './erase-line.ts'

export interface LedgerParts extends ErasingParts {
  ledger: ErasureLedger
  digests: AddressDigests
  log: Log
}

/** The result of lines that the database did not know. */
export interface AppliedErasures {
  lines: number
  /** How many of each kind were here and are erased. */
  erased: Record<ErasureLine['kind'] | 'addresses', number>
  /** Lines that cannot be read. */
  unreadable: number
  /** Addresses whose digests need a secrets key that is not there. */
  unknown: number
  /** Users who are the last owner of their tenant here, and stay. */
  lastOwners: string[]
}

/**
 * Erases what was erased after the time that the data is of: the lines of the ledger that the database does not know. Returns undefined
 * where it knows all. It may be killed: the database knows the lines when everything is done.
 */
export async function applyLedger(parts: LedgerParts): Promise<AppliedErasures | undefined> {
  const { ledger, storage, clock } = parts
  const known = await findPosition(storage.system)
  const part = await ledger.read(known)
  if (part === undefined && known !== undefined) parts.log.warn({}, missingLedger(ledger.path))
  if (part === undefined || part.end.bytes === (part.isContinued ? (known?.bytes ?? 0) : 0)) return undefined
  const applied = await applyPart(parts, part)
  await savePosition(storage.system, part.end, isoTime(clock.nowMs()))
  return applied
}

async function applyPart(parts: LedgerParts, part: LedgerPart): Promise<AppliedErasures> {
  const deleted = new Set<string>()
  for await (const line of part.lines()) if (line?.kind === 'tenants') deleted.add(line.tenantId)
  const application = new Application(parts, deleted)
  for await (const line of part.lines()) await application.apply(line)
  await application.applyAddresses()
  return application.applied
}

class Application {
  readonly #parts: LedgerParts
  /** Their other lines say nothing more. */
  readonly #deletedTenants: ReadonlySet<string>
  readonly #tenants = new Map<string, ErasingTenant | undefined>()
  /** The customers of each tenant by the digests of their addresses. */
  readonly #holders = new Map<string, Map<string, ErasedHolder>>()
  readonly applied: AppliedErasures = {
    lines: 0,
    erased: { customers: 0, users: 0, conversations: 0, tenants: 0, addresses: 0 },
    unreadable: 0,
    unknown: 0,
    lastOwners: [],
  }

  constructor(parts: LedgerParts, deletedTenants: ReadonlySet<string>) {
    this.#parts = parts
    this.#deletedTenants = deletedTenants
  }

  async apply(line: ErasureLine | undefined): Promise<void> {
    const { applied } = this
    if (line === undefined) {
      applied.unreadable += 1
      return
    }
    applied.lines += 1
    const { tenantId, kind, id } = line
    const tenant = await this.#tenantOf(line)
    if (tenant === undefined) return
    const outcome = await eraseLine(this.#parts, tenant, line)
    if (outcome === 'erased') applied.erased[kind] += 1
    if (outcome === 'lastOwner') applied.lastOwners.push(`${id} of ${tenantId}`)
    passFaultPoint('between-ledger-lines')
    this.#noteAddresses(line)
  }

  async #tenantOf({ tenantId, kind }: ErasureLine): Promise<ErasingTenant | undefined> {
    if (this.#deletedTenants.has(tenantId) && kind !== 'tenants') return undefined
    const tenants = this.#tenants
    if (!tenants.has(tenantId)) tenants.set(tenantId, await findErasing(this.#parts, tenantId))
    return tenants.get(tenantId)
  }

  #noteAddresses({ tenantId, id, at, addresses }: ErasureLine): void {
    const holders = this.#holders.get(tenantId) ?? new Map<string, ErasedHolder>()
    this.#holders.set(tenantId, holders)
    const holder: ErasedHolder = { id, at }
    for (const digest of addresses) {
      if (!this.#parts.digests.isKnown(digest)) this.applied.unknown += 1
      holders.set(digest, holder)
    }
  }

  async applyAddresses(): Promise<void> {
    for (const [digestedFor, holders] of this.#holders) {
      // With the tasks that the lines have begun.
      const tenant = holders.size > 0 ? await findErasing(this.#parts, digestedFor) : undefined
      if (tenant === undefined) continue
      const of = { digests: this.#parts.digests, holders, digestedFor }
      this.applied.erased.addresses += await eraseAddresses(this.#parts, tenant, of)
    }
  }
}

/** Returns a tenant with its tasks; undefined when there is none of that id. */
export async function findErasing({ storage }: ErasingParts, id: string): Promise<ErasingTenant | undefined> {
  const found = await storage.system.findTenant(id)
  if (found === undefined) return undefined
  const { tenantId } = found
  const tasks: TaskRecord[] = []
  for await (const task of readTenantRows(storage.system, { kind: 'tasks', tenantId })) tasks.push(task)
  return { tenantId, tasks }
}

export function missingLedger(path: string): string {
  return `The ledger of erasures ${path} is missing, and this database knows one: bring it back, or an erasure since the backup that was restored is undone.`
}

/** Returns sentences about what was applied. */
export function describeApplied({
  lines,
  erased,
  unreadable,
  unknown,
  lastOwners,
}: AppliedErasures): string[] {
  const counts = Object.entries(erased).map(([kind, count]) => `${kind} ${count}`)
  const sentences = [
    `The ledger of erasures had ${lines} erasures that this data did not know; erased again: ${counts.join(', ')}.`,
  ]
  if (unreadable > 0)
    sentences.push(`${unreadable} lines of the ledger cannot be read: a write that was cut off, or damage.`)
  if (unknown > 0)
    sentences.push(
      `${unknown} addresses of the ledger could not be compared: CRM_SECRETS_KEY does not hold the key of that time. Mail of these addresses that no customer has may be here.`,
    )
  if (lastOwners.length > 0)
    sentences.push(
      `These users were erased, and are the last owner here: ${lastOwners.join(', ')}. Appoint another owner, then delete them.`,
    )
  return sentences
}
