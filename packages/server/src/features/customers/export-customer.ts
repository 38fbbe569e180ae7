import { type exportCustomer, notFound, type StoredCall } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { exportedConversation } from '../../shared/exported-conversation.ts'
import { addressesOf, peopleOfAddress, rowsOf } from '../../shared/people-of-address.ts'
import { callsOfPhone, isExplained, phonesOf } from '../../shared/people-of-phone.ts'
import { readAll } from '../../shared/read-all.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import { exportedRow } from '../../storage/kinds/derive.ts'
import type { ConversationFilter, MessageFilter } from '../../storage/pages.ts'
import { emailForms } from '../../storage/rules/email-forms.ts'
import type { DownloadHandler } from '../stream-handler.ts'
import { type ExportSection, exportFile } from '../write-export.ts'

/** Messages may be long, and a page is in memory until a slow client has taken it. */
const pageSize = 10

export const handleExportCustomer: DownloadHandler<typeof exportCustomer> = async (
  { store, now },
  { params: { id }, query: { format } },
) => {
  const customer = await store.customers.find(id)
  if (customer === undefined) throw notFound()
  const content = {
    exportedAt: now,
    subject: { type: 'customer', _id: id },
    sections: sectionsOf(store, customer, now),
  }
  return {
    ...exportFile(format, content),
    audit: { action: 'customer.exported', target: { type: 'customer', _id: id } },
  }
}

/** Returns the rows that an erasure of the customer would delete, as the kinds declare their personal data. */
function sectionsOf(store: TenantReads, customer: CustomerRecord, now: string): ExportSection[] {
  return [
    { name: 'customer', row: exportedRow('customers', customer, 'customer') },
    { name: 'addresses', rows: () => exportAddresses(store, customer) },
    { name: 'merges', rows: () => exportMerges(store, customer) },
    { name: 'conversations', rows: () => exportConversations(store, customer) },
    { name: 'messages', rows: () => exportMessages(store, customer) },
    { name: 'activities', rows: () => exportActivities(store, customer) },
    { name: 'drafts', rows: () => exportDrafts(store, customer) },
    { name: 'calls', rows: () => exportCalls(store, customer, now) },
    { name: 'notes', rows: () => exportNotes(store, customer) },
    { name: 'suppressedAddresses', rows: () => exportSuppressed(store, customer) },
    { name: 'mails', rows: () => exportMails(store, customer) },
    { name: 'messagesElsewhere', rows: () => exportMessagesElsewhere(store, customer) },
  ]
}

/**
 * Returns the ids of the customers that were merged into this one, and its own last: a conversation that is moved
 * during the export may be exported twice and is never missed.
 */
function peopleOf({ _id, mergedFrom = [] }: CustomerRecord): Set<string> {
  return new Set([...mergedFrom, _id])
}

async function* conversationsOf(store: TenantReads, customer: CustomerRecord) {
  for (const customerId of peopleOf(customer)) {
    yield* readAll((cursor) => {
      const filter: ConversationFilter = { customerId, sort: 'createdAt', page: 1, limit: pageSize, cursor }
      return store.conversations.listRows(filter)
    })
  }
}

async function* exportConversations(store: TenantReads, customer: CustomerRecord) {
  for await (const conversation of conversationsOf(store, customer)) {
    yield exportedConversation(conversation, 'customer')
  }
}

/** Exports all messages of the conversations, by any author, and notes too: they are about the customer. */
async function* exportMessages(store: TenantReads, customer: CustomerRecord) {
  for await (const { _id: conversationId } of conversationsOf(store, customer)) {
    for await (const message of messagesOf(store, { conversationId }))
      yield exportedRow('messages', message, 'customer')
  }
}

/** Exports the changes of the conversations, by anybody: they are about the customer too. */
async function* exportActivities(store: TenantReads, customer: CustomerRecord) {
  for await (const { _id: conversationId } of conversationsOf(store, customer)) {
    const activities = readAll((cursor) =>
      store.activities.listRows({ conversationId, sort: 'at', page: 1, limit: pageSize, cursor }),
    )
    for await (const activity of activities) yield exportedRow('activities', activity, 'customer')
  }
}

/** Exports drafts by any author, as messages: they are about the customer too. */
async function* exportDrafts(store: TenantReads, customer: CustomerRecord) {
  for await (const { _id: conversationId } of conversationsOf(store, customer)) {
    const drafts = readAll((cursor) =>
      store.drafts.listRows({ conversationId, page: 1, limit: pageSize, cursor }),
    )
    for await (const draft of drafts) yield exportedRow('drafts', draft, 'customer')
  }
}

/** Exports the calls of the customer, and those from and to their numbers that nobody else's number explains. */
async function* exportCalls(store: TenantReads, customer: CustomerRecord, until: string) {
  const people = peopleOf(customer)
  for (const phone of await phonesOf(store, customer)) {
    if (await isExplained(store, phone, { except: customer._id, before: until })) continue
    for await (const call of callsOfPhone(store, { phone, until })) {
      if (call.customerId === null) yield exportedRow('calls', call, 'customer')
      else if (!people.has(call.customerId)) yield exportedRow('calls', numbersOf(call), 'customer')
    }
  }
  for (const customerId of people) {
    const calls = readAll((cursor) => store.calls.listRows({ customerId, page: 1, limit: pageSize, cursor }))
    for await (const call of calls) yield exportedRow('calls', call, 'customer')
  }
}

/** Returns the part of a call with somebody else that concerns the holder of its number. */
function numbersOf({ _id, direction, from, to, createdAt }: StoredCall) {
  return { _id, direction, from, to, createdAt }
}

async function* exportSuppressed(store: TenantReads, customer: CustomerRecord) {
  for (const customerId of peopleOf(customer)) {
    const rows = readAll((cursor) =>
      store.suppressedAddresses.listRows({ customerId, page: 1, limit: pageSize, cursor }),
    )
    for await (const row of rows) yield exportedRow('suppressedAddresses', row, 'customer')
  }
}

/** Exports the notes of the team, by any author: they are about the customer. */
async function* exportNotes(store: TenantReads, customer: CustomerRecord) {
  for (const customerId of peopleOf(customer)) {
    const notes = readAll((cursor) =>
      store.customerNotes.listRows({ customerId, sort: 'createdAt', page: 1, limit: pageSize, cursor }),
    )
    for await (const note of notes) yield exportedRow('customerNotes', note, 'customer')
  }
}

/** Exports the addresses and phone numbers other than those of the profile, current and former ones. */
async function* exportAddresses(store: TenantReads, { _id }: CustomerRecord) {
  for await (const row of rowsOf(store, _id)) yield exportedRow('customerAddresses', row, 'customer')
}

/** Exports what merges of the customer keep: the values of both customers before. */
async function* exportMerges(store: TenantReads, { _id: customerId }: CustomerRecord) {
  const merges = readAll((cursor) =>
    store.customerMerges.listRows({ customerId, page: 1, limit: pageSize, cursor }),
  )
  for await (const merge of merges)
    if (merge.state !== 'page') yield exportedRow('customerMerges', merge, 'customer')
}

/** Exports mails of the customer's addresses that no conversation holds: parked and ignored ones. */
async function* exportMails(store: TenantReads, customer: CustomerRecord) {
  for (const { address } of await addressesOf(store, customer)) {
    const { current } = await peopleOfAddress(store, address)
    // They may be mails of somebody else who has the address.
    if (current.some(({ _id }) => _id !== customer._id)) continue
    for await (const mail of unlinkedMails(store, address))
      yield exportedRow('inboundMails', mail, 'customer')
  }
}

/** Mails of a sender that no conversation holds, whatever form of the address they are stored under. */
async function* unlinkedMails(store: TenantReads, address: string) {
  for (const unlinkedSender of emailForms(address))
    yield* readAll((cursor) =>
      store.inboundMails.listRows({ unlinkedSender, page: 1, limit: pageSize, cursor }),
    )
}

/** Exports messages of the customer in conversations that belong to other customers now. */
async function* exportMessagesElsewhere(store: TenantReads, customer: CustomerRecord) {
  const people = peopleOf(customer)
  let last = { conversationId: '', isTheirs: false }
  for (const authorId of people) {
    for await (const message of messagesOf(store, { authorId })) {
      const { conversationId } = message
      if (conversationId !== last.conversationId) {
        const conversation = await store.conversations.find(conversationId)
        last = { conversationId, isTheirs: people.has(conversation?.customerId ?? '') }
      }
      if (!last.isTheirs) yield exportedRow('messages', message, 'customer')
    }
  }
}

function messagesOf(store: TenantReads, of: { conversationId: string } | { authorId: string }) {
  return readAll((cursor) => {
    const filter: MessageFilter = { ...of, sort: 'createdAt', page: 1, limit: pageSize, cursor }
    return store.messages.listRows(filter)
  })
}
