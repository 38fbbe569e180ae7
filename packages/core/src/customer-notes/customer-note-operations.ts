import { z } from 'zod'
import { defineOperation, none, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply } from '../contract/envelopes.ts'
import { byId, ownId } from '../shared/common-fields.ts'
import { pageQuery } from '../shared/page.ts'
import {
  createCustomerNoteBody,
  customerNote,
  notesPerCustomerMax,
  updateCustomerNoteBody,
} from './customer-note.ts'

const path = '/api/v1/customers/{id}/notes'
const byCustomer = byId('customer')
const byNote = z.object({ id: ownId('customer'), noteId: ownId('customer note') })

const audit = none('a note names its author and its time, and nobody outside the team sees it')

export const listCustomerNotes = defineOperation({
  id: 'customerNotes.list',
  method: 'GET',
  path,
  auth: sessionOrKey('read:customers'),
  summary: 'List the notes about a customer, newest first',
  request: { params: byCustomer, query: z.object({ ...pageQuery(20) }) },
  status: 200,
  response: listOf(customerNote),
})

export const createCustomerNote = defineOperation({
  id: 'customerNotes.create',
  method: 'POST',
  path,
  auth: sessionOrKey('write:customers'),
  audit,
  summary: 'Write a note about a customer',
  description: `No event holds it, no search finds it, and the customer never sees it. A customer has at most ${notesPerCustomerMax} notes; one more is a \`CONFLICT\`. Streams with \`live=true\` get \`customer.notes\` after each change of notes.`,
  request: { params: byCustomer, body: createCustomerNoteBody },
  status: 201,
  response: dataOf(customerNote),
})

export const getCustomerNote = defineOperation({
  id: 'customerNotes.get',
  method: 'GET',
  path: `${path}/{noteId}`,
  auth: sessionOrKey('read:customers'),
  summary: 'Get one note about a customer',
  request: { params: byNote },
  status: 200,
  response: dataOf(customerNote),
})

export const updateCustomerNote = defineOperation({
  id: 'customerNotes.update',
  method: 'PUT',
  path: `${path}/{noteId}`,
  auth: sessionOrKey('write:customers'),
  audit,
  summary: 'Change a note about a customer: one’s own, or as an admin any',
  description:
    'With another `expectedVersion` than that of the note it is a `CONFLICT`, whose `details.note` is the note.',
  request: { params: byNote, body: updateCustomerNoteBody },
  status: 200,
  response: dataOf(customerNote),
})

export const deleteCustomerNote = defineOperation({
  id: 'customerNotes.delete',
  method: 'DELETE',
  path: `${path}/{noteId}`,
  auth: sessionOrKey('write:customers'),
  audit,
  summary: 'Delete a note about a customer: one’s own, or as an admin any',
  request: { params: byNote },
  status: 200,
  response: messageReply,
})
