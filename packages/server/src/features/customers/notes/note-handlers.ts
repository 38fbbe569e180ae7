import { handleGetCustomerNote, handleListCustomerNotes } from './read-notes.ts'
import {
  handleCreateCustomerNote,
  handleDeleteCustomerNote,
  handleUpdateCustomerNote,
} from './write-notes.ts'

export const customerNoteHandlers = {
  'customerNotes.list': handleListCustomerNotes,
  'customerNotes.create': handleCreateCustomerNote,
  'customerNotes.get': handleGetCustomerNote,
  'customerNotes.update': handleUpdateCustomerNote,
  'customerNotes.delete': handleDeleteCustomerNote,
} as const
