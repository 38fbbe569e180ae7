import type { ImportFile } from '@crmkit/core'
import { defineKindOf } from './define-kind.ts'
import {
  because,
  json,
  moment,
  nullableNumber,
  nullableText,
  number,
  optional,
  reference,
  tenantRow,
  text,
  word,
} from './fields.ts'

/** An uploaded file. Its bytes are those of the attachment with the same id. */
export interface ImportFileRecord extends Omit<ImportFile, 'mapping'> {
  tenantId: string
  integrationId: string
  /** Headers of the columns whose values are e-mail addresses; absent: not looked at. */
  emailColumns?: string[]
}

export const importFiles = defineKindOf<ImportFileRecord>()('importFiles', {
  idPrefix: null,
  fields: {
    ...tenantRow,
    integrationId: reference('integrations'),
    module: word('plain'),
    filename: because('the name of a whole export', text('plain')),
    format: word('plain'),
    delimiter: because('the sign between two columns', nullableText('plain')),
    encoding: word('plain'),
    headerRow: nullableNumber('plain'),
    size: number('plain'),
    headers: because('the heads of the columns of a whole export', json('plain', ['E-Mail'])),
    emailColumns: optional(because('the heads of columns of a whole export', json('plain', ['E-Mail']))),
    createdAt: moment('plain'),
  },
  list: {
    filters: { integrationId: { matches: 'integrationId', index: 'integration' } },
    orders: { createdAt: { by: 'createdAt', isDescending: false } },
    needsOneOf: ['integrationId'],
  },
  erasure: {
    rows: 'kept',
    why: 'Names of columns; the bytes are removed 7 days after the run that read them.',
  },
  quota: { unlimited: 'an integration has one for each module' },
  retention: 'permanent',
})
