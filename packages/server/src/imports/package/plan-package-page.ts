import { normalizeEmail } from '@crmkit/core'
import { monthOf, type PackageKind } from '@crmkit/core/package'
import type { SourceRecord } from '../../ports/connector.ts'
import { readAll } from '../../shared/read-all.ts'
import { wholeTeam } from '../../storage/kinds/canned-replies.ts'
import { linkIdOf } from '../plan/import-context.ts'
import { PagePlan, undoIdOf } from '../plan/page-plan.ts'
import { finishLinks, planRecords } from '../plan/plan-records.ts'
import type { WorkingSet } from '../plan/working-set.ts'
import { recordingNoteId, recordingNoteOf } from './call-recordings.ts'
import type { FoundBytes } from './package-bytes.ts'
import {
  HereCounts,
  linkedId,
  type PackageParts,
  type PackageRow,
  type RowFigure,
  rowOf,
  useFields,
} from './package-page.ts'
import type { PackageLine } from './package-source.ts'
import { importInboxLink, planPackageConversation } from './plan-package-conversation.ts'
import { linksOfMessage, notesLink, planPackageMessage } from './plan-package-message.ts'
import {
  planNamed,
  planPackageCall,
  planPackageRating,
  planReply,
  planSuppression,
} from './plan-package-others.ts'
import { personRecord } from './plan-people.ts'
import { type TeamReply, teamReply } from './prepared-reply.ts'

export interface PackagePage {
  kind: PackageKind
  lines: readonly PackageLine[]
}

type GoodLine = Extract<PackageLine, { record: unknown }>

interface Planning {
  parts: PackageParts
  plan: PagePlan
  here: HereCounts
  kind: PackageKind
}

/** Reads what the lines of a page meet here, and decides what is written. */
export async function planPackagePage(
  parts: PackageParts,
  set: WorkingSet,
  { kind, lines }: PackagePage,
): Promise<{ plan: PagePlan; here: HereCounts }> {
  const { context } = parts
  const good = lines.filter((line): line is GoodLine => 'record' in line)
  const rows = good.map((line) => ({ line, row: rowOf(context, kind, line) }))
  await set.load(
    'importLinks',
    rows.map(({ row }) => row.linkId),
  )
  const [fresh, repeated] = divide(rows, set, context.runId)
  const here = new HereCounts()
  const plan =
    kind === 'people'
      ? await planPeople(parts, set, fresh, here)
      : await planOthers({ parts, plan: newPlan(context, set, { kind, rows }), here, kind }, fresh)
  plan.tally.file = {
    module: kind,
    fileId: kind,
    filename: kind,
    targets: new Map(),
    total: lines.length,
    blank: 0,
    outside: 0,
  }
  for (const { line } of repeated) {
    plan.issue(
      { module: kind, id: idOf(line), row: line.row },
      { severity: 'error', code: 'DUPLICATE_ID', message: 'another record of the package has the id' },
    )
    plan.count(kind, 'failed')
    addCells(plan, { kind, line, figure: 'repeated' })
  }
  for (const line of lines) {
    if ('record' in line) continue
    const { row, problem } = line
    plan.issue(
      { module: kind, id: line.id, row },
      { severity: 'error', code: 'INVALID_RECORD', message: problem },
    )
    plan.count(kind, 'failed')
    plan.tally.addRow('failed')
  }
  return { plan, here }
}

interface Divided {
  line: GoodLine
  row: PackageRow
}

/** A plan that knows the months of its records. */
function newPlan(
  context: PackageParts['context'],
  set: WorkingSet,
  { kind, rows }: { kind: PackageKind; rows: readonly Divided[] },
): PagePlan {
  const plan = new PagePlan(context, set)
  plan.months = new Map(
    rows.flatMap(({ line: { row, record } }) => {
      const month = monthOf(kind, record)
      return typeof month === 'string' ? [[row, month] as const] : []
    }),
  )
  return plan
}

/** Divides the records of a page from those whose id another record of the run has. */
function divide(rows: readonly Divided[], set: WorkingSet, runId: string): [Divided[], Divided[]] {
  const seen = new Set<string>()
  const isRepeated = ({ row }: Divided) => {
    const isKnown = seen.has(row.linkId) || set.find('importLinks', row.linkId)?.lastRunId === runId
    seen.add(row.linkId)
    return isKnown
  }
  const [fresh, repeated]: [Divided[], Divided[]] = [[], []]
  for (const row of rows) (isRepeated(row) ? repeated : fresh).push(row)
  return [fresh, repeated]
}

const idOf = ({ record }: GoodLine): string | null => ('id' in record ? record.id : null)

interface Cells {
  kind: PackageKind
  line: GoodLine
  figure: RowFigure
}

function addCells(plan: PagePlan, { kind, line, figure }: Cells): void {
  const cells = useFields(plan, kind, line)
  const columns = new Map([...cells.keys()].map((name) => [name, name]))
  plan.tally.add(plan, { module: kind, row: line.row, cells, columns }, figure)
}

/** People are planned as the contacts of any other source. */
async function planPeople(
  parts: PackageParts,
  set: WorkingSet,
  rows: readonly Divided[],
  here: HereCounts,
): Promise<PagePlan> {
  const { context, facts } = parts
  const records = rows.map(
    ({ row }): SourceRecord => personRecord(row as PackageRow<'people'>, (id) => facts.organisation(id)),
  )
  const plan = await planRecords(context, set, {
    records,
    wasCounted: () => false,
    hasFailed: () => false,
  })
  // Each record of the page is counted once, in their order.
  const outcomes = plan.outcomes.get('people') ?? []
  for (const [index, { line }] of rows.entries()) {
    const figure = outcomes[index] ?? 'failed'
    here.add('people', line.record, figure)
    addCells(plan, { kind: 'people', line, figure })
  }
  return plan
}

async function planOthers(
  { parts, plan, here, kind }: Planning,
  rows: readonly Divided[],
): Promise<PagePlan> {
  const { set } = plan
  const load = await loadFor({ parts, plan, here, kind }, rows)
  for (const { line, row } of rows) {
    plan.keptHere = []
    const figure = figureOf({ parts, plan, here, kind }, row, load)
    plan.count(kind, figure)
    here.add(kind, line.record, figure)
    addCells(plan, { kind, line, figure })
    if (set.pauses.isDue()) await set.pauses.take()
  }
  finishLinks(plan)
  plan.keepLinksForUndo()
  return plan
}

interface Loaded {
  files: ReadonlyMap<string, FoundBytes | undefined>
  suppressed: ReadonlySet<string>
  /** Replies of the team, by their shortcuts; the page adds its own. */
  replies: Map<string, TeamReply>
}

function figureOf({ parts, plan, kind }: Planning, row: PackageRow, { files, suppressed, replies }: Loaded) {
  if (kind === 'conversations')
    return planPackageConversation(parts, plan, row as PackageRow<'conversations'>)
  if (kind === 'messages' || kind === 'notes')
    return planPackageMessage(parts, plan, { kind, row: row as PackageRow<'messages' | 'notes'>, files })
  if (kind === 'calls') return planPackageCall(parts, plan, { row: row as PackageRow<'calls'>, files })
  if (kind === 'ratings') return planPackageRating(parts, plan, row as PackageRow<'ratings'>)
  if (kind === 'suppressions')
    return planSuppression(parts, plan, { row: row as PackageRow<'suppressions'>, known: suppressed })
  if (kind === 'replies') return planReply(parts, plan, { row: row as PackageRow<'replies'>, taken: replies })
  if (kind === 'attachments') return attachmentFigure(parts, plan, row as PackageRow<'attachments'>)
  return planNamed(parts, plan, { kind: kind as 'agents', row })
}

/** Says whether a file is at the message that has it: the messages are written before. */
function attachmentFigure(
  { facts }: PackageParts,
  plan: PagePlan,
  { id, row, record }: PackageRow<'attachments'>,
): RowFigure & ('created' | 'failed' | 'skipped') {
  const about = { module: 'attachments', id, row }
  const by = facts.userOfAttachment(id)
  if (by === undefined) {
    const message = 'no message or note has this file'
    plan.issue(about, { severity: 'skipped', code: 'PARENT_MISSING', message })
    return 'skipped'
  }
  const messageId = linkedId(plan, 'messages', { module: by.module as 'messages', id: by.id })
  const message = messageId === null ? undefined : plan.set.find('messages', messageId)
  const isHere = message?.attachments.some(({ size }) => size === record.size)
  if (isHere && record.sha256 !== null) return 'created'
  const reason =
    record.sha256 === null
      ? `its bytes are not in the package: ${record.missing ?? ''}`
      : 'its bytes are not here'
  plan.issue(about, { severity: 'error', code: 'ATTACHMENT_MISSING', message: reason })
  return 'failed'
}

/** Reads the rows that the records of a page name. */
async function loadFor({ parts, plan, kind }: Planning, rows: readonly Divided[]): Promise<Loaded> {
  const { set } = plan
  const { context } = parts
  const records = rows.map(({ row }) => row)
  const links = records.flatMap((row) => namedBy(parts, kind, row))
  const needsInbox = kind === 'conversations' || kind === 'notes' || kind === 'calls'
  await set.load('importLinks', [
    ...links.map((link) => linkIdOf(context, link)),
    ...(needsInbox ? [importInboxLink(parts)] : []),
  ])
  const nothing: Loaded = { files: new Map(), suppressed: new Set(), replies: new Map() }
  if (kind === 'replies') return { ...nothing, replies: await repliesOfTeam(parts) }
  if (kind === 'suppressions') return { ...nothing, suppressed: await suppressedAmong(parts, records) }
  const found = [...records.map(({ linkId }) => linkId), ...links.map((link) => linkIdOf(context, link))]
  await loadLinked(plan, found)
  if (needsInbox) {
    const inbox = set.find('importLinks', importInboxLink(parts))?.entityId
    await set.load('inboxes', [...Object.values(parts.inboxes), ...(inbox ? [inbox] : [])])
  }
  const messages = messagesOf(parts, kind, records)
  if (kind === 'notes' || kind === 'calls') await loadNotesOfPeople(parts, plan, messages)
  const isNew = ({ linkId }: PackageRow) => set.find('importLinks', linkId) === undefined
  const files = messages.filter(isNew).flatMap(({ record }) => record.attachmentIds ?? [])
  return { ...nothing, files: context.isDryRun ? new Map() : await parts.bytes.find(files) }
}

/** The messages and notes that records become, calls the notes with their recordings. */
function messagesOf(
  { context }: PackageParts,
  kind: PackageKind,
  records: readonly PackageRow[],
): PackageRow<'messages' | 'notes'>[] {
  if (kind === 'messages' || kind === 'notes') return [...records] as PackageRow<'messages' | 'notes'>[]
  if (kind !== 'calls') return []
  return records.flatMap((row) => recordingNoteOf(context, row as PackageRow<'calls'>) ?? [])
}

function namedBy({ facts }: PackageParts, kind: PackageKind, row: PackageRow) {
  const named: { module: PackageKind; id: string }[] = []
  const add = (module: PackageKind, id: string | null | undefined) => {
    if (id) named.push({ module, id })
  }
  if (kind === 'messages' || kind === 'notes') return linksOfMessage(row as PackageRow<'messages' | 'notes'>)
  if (kind === 'conversations') {
    const { personId, previousId } = (row as PackageRow<'conversations'>).record
    add('people', personId)
    add('conversations', previousId)
  }
  if (kind === 'calls') {
    const { personId, conversationId } = (row as PackageRow<'calls'>).record
    add('people', personId)
    add('conversations', conversationId)
    add('notes', recordingNoteId(row.id))
  }
  if (kind === 'ratings') add('conversations', (row as PackageRow<'ratings'>).record.conversationId)
  if (kind === 'attachments') {
    const by = facts.userOfAttachment(row.id)
    add((by?.module ?? 'messages') as PackageKind, by?.id)
  }
  return named
}

/** Reads the rows of links, and of conversations their customers and what an undo keeps. */
async function loadLinked(plan: PagePlan, linkIds: readonly string[]): Promise<void> {
  const { set, context } = plan
  const links = linkIds.flatMap((id) => set.find('importLinks', id) ?? [])
  const idsOf = (kind: string) =>
    links.filter(({ entityKind }) => entityKind === kind).map((link) => link.entityId)
  for (const kind of ['conversations', 'messages', 'calls'] as const) await set.load(kind, idsOf(kind))
  const conversations = idsOf('conversations').flatMap((id) => set.find('conversations', id) ?? [])
  await set.load('customers', [
    ...idsOf('customers'),
    ...conversations.flatMap(({ customerId }) => customerId ?? []),
  ])
  if (context.isDryRun) return
  const undos = conversations.map(({ _id: id }) =>
    undoIdOf({ runId: context.runId, kind: 'conversations', id }),
  )
  await set.load('importUndo', undos)
}

/** Reads the conversations of the notes about people. */
async function loadNotesOfPeople(
  parts: PackageParts,
  plan: PagePlan,
  rows: readonly PackageRow<'messages' | 'notes'>[],
): Promise<void> {
  const ids = rows.flatMap(({ record }) => {
    const personId = 'personId' in record ? record.personId : null
    return linkedId(plan, 'customers', { module: 'people', id: personId }) ?? []
  })
  const links = ids.map((id) => notesLink(parts, id))
  await plan.set.load('importLinks', links)
  await loadLinked(plan, links)
}

async function repliesOfTeam({ context }: PackageParts): Promise<Map<string, TeamReply>> {
  const found = new Map<string, TeamReply>()
  const rows = readAll((cursor) =>
    context.store.cannedReplies.listRows({ audience: [wholeTeam], page: 1, limit: 500, cursor }),
  )
  for await (const row of rows) found.set(row.shortcut, { ...teamReply(row), isOfPage: false })
  return found
}

async function suppressedAmong({ context }: PackageParts, rows: readonly PackageRow[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (const { record } of rows as PackageRow<'suppressions'>[]) {
    const address = normalizeEmail(record.address)
    const { rows: found } = await context.store.suppressedAddresses.listRows({ address, page: 1, limit: 1 })
    if (found.length > 0) known.add(address)
  }
  return known
}
