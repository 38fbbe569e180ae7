import { defineKindOf } from './define-kind.ts'
import { moment, tenantRow, text } from './fields.ts'

/** That a row which came from elsewhere was erased here: enough to know it again, so that no sync brings it back. */
export interface ErasedLinkRecord {
  /** `erasedLinkId` of the id that it has elsewhere. */
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
