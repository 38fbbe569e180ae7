import { changesBetween, type DomainEvent } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { activityWrites, bySystem } from '../../shared/conversation-log.ts'
import { addressesAfter, type LearntAddresses, removedAddresses } from '../../shared/learn-addresses.ts'
import { removalOf } from '../../shared/removal-of.ts'
import { VersionConflict } from '../../storage/errors.ts'
import { externalLinkId } from '../../storage/external-ids.ts'
import { erasedAttachment } from '../../storage/kinds/attachments.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { ImportLinkRecord } from '../../storage/kinds/import-links.ts'
import type { ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import type { ImportUndoRecord } from '../../storage/kinds/import-undo.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Stored } from '../../storage/records.ts'
import { linkIdOf } from '../plan/import-context.ts'
import { issueKeepMs, later } from '../plan/page-plan.ts'
import { notesModule } from '../plan/planned-record.ts'
import type { RunParts, RunRef } from '../run/run-parts.ts'
import { type Decided, joined, keptLink, nothing } from './decided.ts'
import { contactsAfter } from './undone-contacts.ts'
import { hasOtherMessages, removalOfMessages } from './undone-conversation.ts'
import { type LinkedRow, linksMadeBy, linkUpdate, restoredLinks } from './undone-links.ts'
import { undoneMerge } from './undone-merge.ts'

const pageSize = 500
const conflictsMax = 20

/** Children before their parents: a conversation stays while somebody else's message is in it. */
const removedKinds = [
  'messages',
  'calls',
  'suppressedAddresses',
  'conversations',
  'customers',
  'inboxes',
] as const
type RemovedKind = (typeof removedKinds)[number]

/** Removes what a run made and restores what it changed, page by page, where nobody has changed it since. */
export async function undoImport(
  parts: RunParts,
  { tenantId, runId }: RunRef,
  signal: AbortSignal,
): Promise<void> {
  const store = parts.storage.forTenant(tenantId)
  const page = new UndoPage(parts, store)
  let conflicts = 0
  while (!signal.aborted) {
    const run = await store.importRuns.find(runId)
    if (run?.undo.status !== 'running') return
    try {
      await parts.pages.run(tenantId, () => page.next(run))
      conflicts = 0
    } catch (error) {
      // Another commit changed one of the rows: the page is read and decided again.
      if (!(error instanceof VersionConflict) || ++conflicts > conflictsMax) throw error
    }
  }
}

/** Versions of a customer who was merged and is back begin anew: they say nothing about the run. */
function beganAnew(row: object, { createdAt }: ImportUndoRecord): boolean {
  return 'returnedAt' in row && typeof row.returnedAt === 'string' && row.returnedAt > createdAt
}

/** Returns the ids that a customer loses, beside those before: an erasure of the customer holds for the records of them too. */
function formerIdsOf(row: LinkedRow, before: ImportUndoRecord['before']): { formerExternalIds?: string[] } {
  const kept = before['externalIds']
  if (!Array.isArray(kept)) return {}
  const lost = (row.externalIds ?? []).filter((id) => !kept.includes(id))
  return lost.length === 0
    ? {}
    : { formerExternalIds: [...new Set([...(row.formerExternalIds ?? []), ...lost])] }
}

class UndoPage {
  readonly #parts: RunParts
  readonly #store: TenantStore

  constructor(parts: RunParts, store: TenantStore) {
    this.#parts = parts
    this.#store = store
  }

  async next(run: Stored<ImportRunRecord>): Promise<void> {
    const addresses = await this.#store.customerAddresses.listRows({
      madeBy: run._id,
      page: 1,
      limit: pageSize,
    })
    if (addresses.rows.length > 0) {
      const writes = addresses.rows.map((row) => removalOf('customerAddresses', row))
      await this.#commit(run, { ...nothing, writes }, run.undoModule)
      return
    }
    const undos = await this.#store.importUndo.listRows({ runId: run._id, page: 1, limit: pageSize })
    if (undos.rows.length > 0) {
      await this.#commit(run, await this.#restored(undos.rows), run.undoModule)
      return
    }
    const merge = await undoneMerge({ store: this.#store, ids: this.#parts.ids, now: this.#now() }, run)
    if (merge !== undefined) {
      await this.#commit(run, merge, run.undoModule)
      return
    }
    const kind = (run.undoModule ?? removedKinds[0]) as RemovedKind
    const madeRows = `${run._id} ${kind}`
    const links = await this.#store.importLinks.listRows({ madeRows, page: 1, limit: pageSize })
    const following = removedKinds[removedKinds.indexOf(kind) + 1] ?? null
    if (links.rows.length > 0) {
      const decided = await this.#removed(run, kind, links.rows)
      const contacts = await contactsAfter(this.#store, decided.writes)
      await this.#commit(run, { ...decided, writes: [...decided.writes, ...contacts] }, kind)
    } else if (following !== null) await this.#commit(run, nothing, following)
    else await this.#finish(run)
  }

  async #restored(rows: readonly Stored<ImportUndoRecord>[]): Promise<Decided> {
    const decided = await Promise.all(rows.map((row) => this.#restoredRow(row)))
    return joined(decided)
  }

  async #restoredRow(undo: Stored<ImportUndoRecord>): Promise<Decided> {
    const { entityKind: kind, entityId: id, rowVersion, before, customerId } = undo
    const drop = removalOf('importUndo', undo)
    const row = await this.#store[kind].find(id)
    if (!row) return { ...nothing, writes: [drop] }
    if (row.version !== rowVersion || beganAnew(row, undo)) {
      const kept = [{ module: kind, externalId: null, customerId }]
      return { ...nothing, writes: [drop], kept }
    }
    const made = await linksMadeBy(this.#store, undo.runId, row)
    if (made.length > 0) {
      // It is removed with the rows that the run made.
      const current = made.map(
        (link): Write => linkUpdate(link, { lastRunId: undo.runId, rowVersion: row.version }),
      )
      const joined = await restoredLinks(this.#store, undo, { row, version: row.version })
      return { ...nothing, writes: [drop, ...current, ...joined] }
    }
    const isChanged = Object.keys(before).length > 0
    const addresses = await this.#restoredAddresses(undo)
    const set = {
      ...before,
      ...addresses.set,
      ...(kind === 'customers' && formerIdsOf(row, before)),
      updatedAt: this.#now(),
    }
    const restore = { op: 'update', kind, id, expectVersion: row.version, set } as Write
    const relinked = await restoredLinks(this.#store, undo, {
      row,
      version: row.version + (isChanged ? 1 : 0),
    })
    const log = kind === 'conversations' ? this.#activitiesOf(row as ConversationRecord, set) : []
    const writes = [drop, ...(isChanged ? [restore, ...addresses.writes, ...log] : []), ...relinked]
    return { ...nothing, writes, restored: isChanged ? 1 : 0 }
  }

  #activitiesOf(row: ConversationRecord, set: object): Write[] {
    const changes = changesBetween(row, { ...row, ...set })
    const ctx = { ids: this.#parts.ids, now: this.#now() }
    return activityWrites(ctx, { conversation: row, changes, by: bySystem })
  }

  /** An e-mail that comes back leaves the register, and the one that the run had written becomes a former address. */
  async #restoredAddresses({ entityKind, entityId, before }: ImportUndoRecord): Promise<LearntAddresses> {
    const row = entityKind === 'customers' ? await this.#store.customers.find(entityId) : undefined
    if (row === undefined) return { set: {}, writes: [] }
    return addressesAfter(this.#store, { before: row, after: { ...row, ...before }, now: this.#now() })
  }

  async #removed(
    run: ImportRunRecord,
    kind: RemovedKind,
    links: readonly Stored<ImportLinkRecord>[],
  ): Promise<Decided> {
    if (kind !== 'messages')
      return joined(await Promise.all(byRow(links).map((some) => this.#removedOnce(run, kind, some))))
    const stays = await this.#stayingConversations(run, links)
    return joined(
      await Promise.all(
        links.map((link) =>
          stays.has(link.conversationId) ? keptLink(link) : this.#removedRow(run, kind, link),
        ),
      ),
    )
  }

  /** Decides about a row once, however many links the run has made to it. */
  async #removedOnce(
    run: ImportRunRecord,
    kind: RemovedKind,
    [link, ...others]: LinksOfRow,
  ): Promise<Decided> {
    const decided = await this.#removedRow(run, kind, link)
    const isKept = decided.kept.length > 0
    const writes = others.flatMap((other) =>
      isKept ? keptLink(other).writes : [removalOf('importLinks', other)],
    )
    return { ...decided, writes: [...decided.writes, ...writes] }
  }

  async #removedRow(
    run: ImportRunRecord,
    kind: RemovedKind,
    link: Stored<ImportLinkRecord>,
  ): Promise<Decided> {
    const { entityId: id } = link
    const row = await this.#store[kind].find(id)
    const dropLink = removalOf('importLinks', link)
    if (!row) return { ...nothing, writes: [dropLink] }
    const isSame = link.lastRunId === run._id && link.rowVersion === row.version
    if (!isSame || (await this.#isUsed(kind, id))) return keptLink(link)
    const conversation = kind === 'conversations' ? await this.#store.conversations.find(id) : undefined
    const own = conversation ? await removalOfMessages(this.#store, { conversation, link }) : []
    if (own === undefined) return keptLink(link)
    const removed = kind === 'inboxes' ? 0 : 1
    const addresses = kind === 'customers' ? await removedAddresses(this.#store, id) : []
    const files = kind === 'messages' ? await this.#removedFiles(id) : []
    return { ...nothing, writes: [...own, ...addresses, ...files, removalOf(kind, row), dropLink], removed }
  }

  /** The files of a message go with it; a job deletes their bytes. */
  async #removedFiles(messageId: string): Promise<Write[]> {
    const message = await this.#store.messages.find(messageId)
    const found = await Promise.all(
      (message?.attachments ?? []).map(({ _id }) => this.#store.attachments.find(_id)),
    )
    return found.flatMap((row): Write[] => {
      if (row === undefined || row.erasedAt !== null) return []
      const { _id: id, version: expectVersion } = row
      return [{ op: 'update', kind: 'attachments', id, expectVersion, set: erasedAttachment(this.#now()) }]
    })
  }

  /** Returns whether something that stays belongs to the row. */
  async #isUsed(kind: RemovedKind, id: string): Promise<boolean> {
    const first = { page: 1, limit: 1 } as const
    if (kind === 'customers') {
      const found = await Promise.all([
        this.#store.conversations.listRows({ customerId: id, ...first }),
        this.#store.calls.listRows({ customerId: id, ...first }),
        this.#store.messages.listRows({ authorId: id, ...first }),
        this.#store.customerNotes.listRows({ customerId: id, ...first }),
      ])
      return found.some(({ rows }) => rows.length > 0)
    }
    if (kind === 'conversations')
      return (await this.#store.calls.listRows({ conversationId: id, ...first })).rows.length > 0
    if (kind === 'inboxes')
      return (await this.#store.conversations.listRows({ inboxId: id, ...first })).rows.length > 0
    return false
  }

  /** Returns the conversations of these messages that the run made and that stay: they keep all their messages. */
  async #stayingConversations(
    run: ImportRunRecord,
    links: readonly ImportLinkRecord[],
  ): Promise<ReadonlySet<string | null>> {
    const integration = await this.#store.integrations.find(run.integrationId)
    const ids = [...new Set(links.flatMap(({ conversationId }) => conversationId ?? []))]
    const stays = await Promise.all(
      ids.map(async (id) => integration !== undefined && (await this.#stays(run, integration, id))),
    )
    return new Set(ids.filter((_, index) => stays[index]))
  }

  async #stays(run: ImportRunRecord, integration: IntegrationRecord, id: string): Promise<boolean> {
    const conversation = await this.#store.conversations.find(id)
    if (!conversation) return false
    const [externalId] = conversation.externalIds
    const { customerId, version } = conversation
    const ownLink = { module: notesModule, id: customerId ?? '' }
    const linkId = externalId === undefined ? linkIdOf(integration, ownLink) : externalLinkId(externalId)
    const link = await this.#store.importLinks.find(linkId)
    if (link?.madeBy !== run._id) return false
    const isChanged = link.lastRunId !== run._id || link.rowVersion !== version
    return isChanged || hasOtherMessages(this.#store, { runId: run._id, conversation, link })
  }

  #now(): string {
    return isoTime(this.#parts.clock.nowMs())
  }

  async #commit(run: Stored<ImportRunRecord>, decided: Decided, undoModule: string | null): Promise<void> {
    const now = this.#now()
    const kept = decided.kept.toSorted((a, b) => compare(a.externalId ?? '', b.externalId ?? ''))
    const issues = kept.map(({ module, externalId, customerId, message }): Write => {
      const row = {
        _id: this.#parts.ids.next('imi'),
        tenantId: run.tenantId,
        runId: run._id,
        severity: 'kept' as const,
        module,
        externalId,
        row: null,
        code: 'CHANGED_SINCE',
        message: message ?? 'was changed since, and stays as it is',
        customerId,
        createdAt: now,
        expiresAt: later(now, issueKeepMs),
      }
      return { op: 'insert', kind: 'importIssues', row }
    })
    const { removed, restored, kept: keptBefore } = run.undo
    const undo = {
      ...run.undo,
      removed: removed + decided.removed,
      restored: restored + decided.restored,
      kept: keptBefore + kept.length,
    }
    await this.#write(run, { undo, undoModule }, [...decided.writes, ...issues], decided.events)
  }

  async #write(
    run: Stored<ImportRunRecord>,
    set: Partial<ImportRunRecord>,
    writes: readonly Write[],
    events: DomainEvent[] = [],
  ): Promise<void> {
    const { _id: id, version: expectVersion } = run
    const update: Write = {
      op: 'update',
      kind: 'importRuns',
      id,
      expectVersion,
      set: { ...set, takesUp: 0, takeUpAt: null, updatedAt: this.#now() },
    }
    await this.#store.commit({ writes: [...writes, update], events })
  }

  async #finish(run: Stored<ImportRunRecord>): Promise<void> {
    const found = await this.#store.integrations.find(run.integrationId)
    const undo = { ...run.undo, status: 'done' as const, finishedAt: this.#now() }
    const integration: Write[] = found
      ? [
          {
            op: 'update',
            kind: 'integrations',
            id: found._id,
            expectVersion: found.version,
            set: {
              syncStatus: 'idle',
              activeRunId: null,
              syncedUntil: null,
              autoSync: { ...found.autoSync, enabled: false, nextRunAt: null },
            },
          },
        ]
      : []
    await this.#write(run, { undo, undoModule: null }, integration)
  }
}

type LinksOfRow = [Stored<ImportLinkRecord>, ...Stored<ImportLinkRecord>[]]

/**
 * A person without an id has two links: of e-mail address and name, and of the address alone; a merged one has those of both. The first
 * one stands for the row: the links are stored in the order of digests, which says nothing to people.
 */
function byRow(links: readonly Stored<ImportLinkRecord>[]): LinksOfRow[] {
  const ordered = links.toSorted((a, b) => compare(a.externalId, b.externalId))
  return [...Map.groupBy(ordered, ({ entityId }) => entityId).values()] as LinksOfRow[]
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
