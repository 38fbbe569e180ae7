import { type FieldNames, nameOf } from '../field-names.ts'
import type { Reading } from '../reading.ts'
import { RefusedError } from '../source-error.ts'
import { idOf, isAddress, type Row, rowOf, rowsOf, textOf, textsOf, timeOf } from '../values.ts'
import { type CommentedTicket, type Users, usersOf } from './zendesk-commented.ts'
import { writeComment } from './zendesk-comments.ts'
import type { Inboxes } from './zendesk-lists.ts'
import { askPage, readExport } from './zendesk-pages.ts'
import { writeUser } from './zendesk-people.ts'

/** Each ticket is written with all its comments before the next one, so that a kill never leaves half of one. */
export function readTickets(reading: Reading): Promise<void> {
  const list = {
    path: 'api/v2/incremental/tickets/cursor',
    name: 'tickets',
    query: { include: 'users,metric_sets' },
  }
  let beside: Row | undefined
  let users: Users = new Map()
  return readExport(reading, list, async (ticket, page) => {
    if (beside !== page.beside) {
      beside = page.beside
      users = usersOf(beside?.['users'])
    }
    await readTicket(reading, ticket, users)
    await reading.saveNowAndThen(page.mark ?? null)
  })
}

async function readTicket(reading: Reading, ticket: Row, users: Users): Promise<void> {
  const id = idOf(ticket['id'])
  // A ticket that changed meanwhile comes again; the next pass with what changed since reads it anew.
  if (id === undefined || reading.has('conversations', id)) return
  const first = ticket['status'] === 'deleted' ? undefined : await askFirstComments(reading, id)
  if (first === undefined) return reading.leaveOutOnce('conversations', id, 'Deleted at the source')
  for (const user of users.values()) if (isNamedBy(ticket, user)) await writeUser(reading, user)
  const commented = await writeTicket(reading, ticket, users)
  for (let page = first; ; page = await askComments(reading, id, page.next)) {
    const named = usersOf(page.beside['users'])
    // A later pass knows only the people who changed themselves.
    for (const user of named.values()) await writeUser(reading, user)
    for (const comment of page.rows) await writeComment(reading, commented, { comment, users: named })
    if (page.next === undefined) return
  }
}

/** Returns undefined for a ticket that was deleted after it was listed. */
async function askFirstComments(reading: Reading, ticketId: string) {
  try {
    return await askComments(reading, ticketId, undefined)
  } catch (error) {
    if (error instanceof RefusedError) return undefined
    throw error
  }
}

function askComments(reading: Reading, ticketId: string, cursor: string | undefined) {
  const query = { include: 'users', include_inline_images: 'true' }
  return askPage(reading, { path: `api/v2/tickets/${ticketId}/comments`, name: 'comments', query }, cursor)
}

function isNamedBy(ticket: Row, { id }: Row): boolean {
  return id === ticket['requester_id'] || id === ticket['assignee_id'] || id === ticket['submitter_id']
}

const statuses = {
  new: 'open',
  open: 'open',
  pending: 'pending',
  hold: 'pending',
  solved: 'closed',
  closed: 'closed',
} as const
const priorities = { low: 'low', normal: 'medium', high: 'high', urgent: 'urgent' } as const
/** https://developer.zendesk.com/documentation/ticketing/reference-guides/via-types */
const channels = {
  email: 'email',
  mail: 'email',
  web: 'email',
  web_form: 'email',
  chat: 'chat',
  native_messaging: 'chat',
  web_messaging: 'chat',
  mobile_sdk: 'chat',
  voice: 'phone',
  phone: 'phone',
  sms: 'sms',
  text_message: 'sms',
  whatsapp: 'whatsapp',
  instagram_dm: 'instagram',
  twitter: 'twitter',
  twitter_dm: 'twitter',
  facebook: 'facebook',
  facebook_messenger: 'facebook',
} as const

function wordFor<Words extends Readonly<Record<string, string>>>(
  words: Words,
  given: unknown,
): Words[keyof Words] | undefined {
  return typeof given === 'string' && Object.hasOwn(words, given) ? words[given as keyof Words] : undefined
}

async function writeTicket(reading: Reading, ticket: Row, users: Users): Promise<CommentedTicket> {
  const id = idOf(ticket['id']) ?? ''
  const requesterId = idOf(ticket['requester_id'])
  const copied = [...new Set([...idsOf(ticket['email_cc_ids']), ...idsOf(ticket['collaborator_ids'])])]
  const labels = textsOf(ticket['tags'], 200).slice(0, 1_000)
  for (const label of labels) await reading.label(label)
  const subject = textOf(ticket['subject'] ?? ticket['raw_subject'], 10_000) ?? ''
  await reading.write('conversations', {
    id,
    subject,
    ...stateOf(reading, ticket),
    ...placeOf(reading, ticket),
    personId: requesterId !== undefined && reading.has('people', requesterId) ? requesterId : null,
    participants: copied.flatMap((one) => participantOf(reading, users.get(one))).slice(0, 500),
    assigneeId: idOf(ticket['assignee_id']) ?? null,
    labels,
    createdAt: timeOf(ticket['created_at']) ?? reading.begunAt,
    updatedAt: timeOf(ticket['updated_at']) ?? null,
    externalUrl: new URL(`agent/tickets/${id}`, reading.client.options.base).href.slice(0, 2_000),
    ...fieldsOfTicket(reading, ticket),
  })
  if (labels.includes('closed_by_merge'))
    reading.leaveOut('merges', 'A merged ticket names its target in words only')
  const requester = users.get(requesterId ?? '')
  return {
    id,
    subject,
    requesterId,
    copied: new Set(copied),
    requester: { name: textOf(requester?.['name']), address: textOf(requester?.['email'], 320) },
  }
}

function stateOf(reading: Reading, ticket: Row) {
  const status = wordFor(statuses, ticket['status']) ?? 'open'
  return {
    status,
    statusWord: statusWordOf(reading, ticket),
    priority: wordFor(priorities, ticket['priority']) ?? null,
    ...(status === 'closed' && { closedAt: closedAtOf(ticket) ?? null }),
  }
}

/** The channel, the address that was written to, and the ticket that this one follows. */
function placeOf(reading: Reading, ticket: Row) {
  const via = rowOf(ticket['via'])
  const { rel, from } = rowOf(via['source'])
  const address = textOf(ticket['recipient'])?.toLowerCase() ?? ''
  const inboxes = reading.fact<Inboxes>('inboxes') ?? {}
  return {
    channel: wordFor(channels, via['channel']) ?? null,
    inboxId: Object.hasOwn(inboxes, address) ? inboxes[address] : null,
    previousId: rel === 'follow_up' ? (idOf(rowOf(from)['ticket_id']) ?? null) : null,
  }
}

function statusWordOf(reading: Reading, ticket: Row): string | null {
  const own = reading.fact<FieldNames>('statuses')?.[idOf(ticket['custom_status_id']) ?? '']
  return own || (textOf(ticket['status']) ?? null)
}

function closedAtOf(ticket: Row): string | undefined {
  return timeOf(rowOf(ticket['metric_set'])['solved_at']) ?? timeOf(ticket['updated_at'])
}

function participantOf(reading: Reading, user: Row | undefined): { address: string; name?: string }[] {
  const address = textOf(user?.['email'], 320)
  // An agent who gets copies is no customer.
  if (!isAddress(address) || reading.has('agents', idOf(user?.['id']) ?? '')) return []
  const name = textOf(user?.['name'])
  return [{ address, ...(name !== undefined && { name }) }]
}

function fieldsOfTicket(reading: Reading, ticket: Row) {
  const names = reading.fact<FieldNames>('ticketFields') ?? {}
  return reading.fields([
    ...rowsOf(ticket['custom_fields']).map(({ id, value }): [string, unknown] => {
      const key = idOf(id) ?? 'Field'
      return [nameOf(names, key), value]
    }),
    ['Type', ticket['type']],
    ['Due at', ticket['due_at']],
    ['External id', ticket['external_id']],
    ['Problem', ticket['problem_id']],
    ['Group', ticket['group_id']],
    ['Brand', ticket['brand_id']],
    ['Channel (source)', rowOf(ticket['via'])['channel']],
  ])
}

function idsOf(given: unknown): string[] {
  return Array.isArray(given) ? given.flatMap((id) => idOf(id) ?? []) : []
}
