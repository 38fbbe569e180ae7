import { defineKindOf } from './define-kind.ts'
import { moment, tenantRow, text } from './fields.ts'

/** The tombstone of an erased row that another system has too: a later sync finds it and does not re-create the row. */
export interface ErasedLinkRecord {
  /** `erasedLinkId` of the id in the other system. */
  _id: string
  tenantId: string
  erasedAt: string
}

export const erasedLinks = defineKindOf<ErasedLinkRecord>()('erasedLinks', {
  idPrefix: null,
  writtenBy: 'system',
  fields: { ...tenantRow, _id: text('secret'), erasedAt: moment('plain') },
  erasure: { rows: 'kept', why: 'A digest, so that a later import does not create the row again.' },
  retention: 'permanent',
})
