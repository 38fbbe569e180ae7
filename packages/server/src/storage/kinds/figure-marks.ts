import { computed, defineKind } from './define-kind.ts'
import { moment, type RowOf, tenantRow, text, word } from './fields.ts'

const fields = {
  ...tenantRow,
  about: word<'conversation' | 'customer'>('internal'),
  subjectId: text('id'),
  at: moment('internal'),
}

/**
 * Says that the figures may not hold a conversation as it is now, or those of a customer who is erased. The commit of each such
 * change makes one, and the background job that counts removes it.
 */
export type FigureMark = RowOf<typeof fields>

export const figureMarks = defineKind('figureMarks', {
  idPrefix: 'chg',
  fields,
  computed: {
    /** Finds the next tenant with marks, and its marks in the order in which they were made. A mark of nothing is not found. */
    markedTenant: computed.nullableText(({ tenantId, subjectId }: FigureMark) =>
      subjectId === '' ? null : tenantId,
    ),
    markedAt: computed.text(({ at }: FigureMark) => at),
  },
  acrossTenants: { dueFigures: { columns: ['markedTenant', 'markedAt'] } },
  erasure: { rows: 'kept', why: 'Ids alone, until the figures hold the change.' },
  quota: { unlimited: 'each is counted and removed within minutes' },
  retention: 'permanent',
})
