import type { TenantExport } from '@crmkit/core'
import type { PackageManifest } from '@crmkit/core/package'
import { defineKindOf } from './define-kind.ts'
import {
  because,
  flag,
  json,
  moment,
  nullableMoment,
  number,
  tenantRow,
  text,
  times,
  word,
} from './fields.ts'

/** A position in the rows of a tenant: behind the row with the id `after` of a kind. */
export interface ExportPlace {
  kind: string
  after: string
}

/** An export of a tenant into a package, whose parts are rows of `packageFiles`. */
export interface TenantExportRecord
  extends Pick<
    TenantExport,
    '_id' | 'status' | 'attachments' | 'partCount' | 'error' | 'createdAt' | 'finishedAt' | 'expiresAt'
  > {
  tenantId: string
  requestedBy: string
  /** The rows that are read next; null: the first. */
  place: ExportPlace | null
  /** The manifest as far as it is written. */
  counts: PackageManifest['counts']
  files: PackageManifest['files']
  leftOut: NonNullable<PackageManifest['leftOut']>
  /** How often it began again, and how often it was tried without a further part. */
  begun: number
  tries: number
  /** When it is taken up again; null for one that has ended. */
  dueAt: string | null
  updatedAt: string
  /** The row goes then. */
  keptUntil: string
}

const noCounts: PackageManifest['counts'] = {}
const noFiles: PackageManifest['files'] = []
const nothingLeftOut: TenantExportRecord['leftOut'] = []
const noError: TenantExport['error'] = null
const begin: ExportPlace | null = null

export const tenantExports = defineKindOf<TenantExportRecord>()('tenantExports', {
  idPrefix: 'exp',
  fields: {
    ...tenantRow,
    requestedBy: text('id'),
    status: word('plain'),
    attachments: flag('plain'),
    partCount: number('plain'),
    error: because('a code and a sentence of the service', json('plain', noError)),
    place: because('a position in the rows of a kind', json('internal', begin)),
    counts: because('counts of records', json('plain', noCounts)),
    files: because('names and digests of files', json('internal', noFiles)),
    leftOut: because('counts of records with reasons of the service', json('internal', nothingLeftOut)),
    begun: number('internal'),
    tries: number('internal'),
    dueAt: nullableMoment('internal'),
    finishedAt: nullableMoment('plain'),
    expiresAt: moment('plain'),
    keptUntil: moment('internal'),
    ...times,
  },
  list: { orders: { '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' } } },
  acrossTenants: { dueExports: { columns: ['dueAt'] } },
  erasure: {
    rows: 'kept',
    why: 'Counts and positions; the parts of an export go when a person is erased.',
  },
  quota: { unlimited: 'three are made in a day, and they go after 30 days' },
  retention: { endsAt: 'keptUntil' },
})
