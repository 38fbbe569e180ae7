import type { Tenant } from '@crmkit/core'
import { defineKindOf } from './define-kind.ts'
import { because, flag, json, optional, text, times } from './fields.ts'

/** Limits that the operator has set for a tenant, by the names of `limitNames`; -1: unlimited. */
export type TenantLimits = Readonly<Record<string, number>>

export interface TenantRecord extends Tenant {
  /** Absent as long as every limit is the default. */
  limits?: TenantLimits
}

export const tenants = defineKindOf<TenantRecord>()('tenants', {
  idPrefix: 'ten',
  writtenBy: 'system',
  scope: 'server',
  fields: {
    _id: text('plain'),
    name: because('the name of an organization', text('plain')),
    isSuspended: flag('plain'),
    limits: optional(json('plain')),
    ...times,
  },
  erasure: { rows: 'kept' },
  retention: 'permanent',
})
