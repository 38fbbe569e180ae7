import { defineKind } from './define-kind.ts'
import { text, times } from './fields.ts'

/** One value of the whole installation, by its name; a copy takes it along. */
export const settings = defineKind('settings', {
  idPrefix: null,
  owner: 'server',
  writtenBy: 'system',
  scope: 'server',
  fields: { _id: text('internal'), value: text('secret'), ...times },
  erasure: { rows: 'kept' },
  retention: 'permanent',
})
