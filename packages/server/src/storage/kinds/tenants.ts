import type { RetentionSettings, SetupStepId, Tenant } from '@crmkit/core'
import { defineKindOf } from './define-kind.ts'
import { because, flag, json, nullableText, optional, text, times } from './fields.ts'

/** Limits that the operator has set for a tenant, by the names of `limitNames`; -1: unlimited. */
export type TenantLimits = Readonly<Record<string, number>>

/** Rows that an upgrade leaves to a person, by their ids. */
export interface UpgradeNote {
  kind: 'customers' | 'users' | 'identities' | 'inboxes'
  ids: readonly string[]
}

/** How a tenant has ended a step of an upgrade. */
export interface DoneUpgrade {
  doneAt: string
  /** Rows that could not be changed. */
  skipped: number
  /** Absent without any. */
  notes?: readonly UpgradeNote[]
}

/** The steps of upgrades that a tenant is done with, by their names. */
export type DoneUpgrades = Readonly<Record<string, DoneUpgrade>>

/** The sample rows of a tenant. Their ids here are their mark: children and later changes need none of their own. */
export interface SampleRecord {
  readonly runId: string
  readonly addedAt: string
  readonly customerIds: readonly string[]
  readonly conversationIds: readonly string[]
}

/** The steps that a new team has done. */
export interface SetupRecord {
  /** When a step was done first, by its id. */
  readonly done: Readonly<Partial<Record<SetupStepId, string>>>
  readonly dismissedAt: string | null
  /** Absent while there are no sample rows. */
  readonly sampleData?: SampleRecord | undefined
}

export interface TenantRecord extends Tenant {
  /** Absent as long as every limit is the default. */
  limits?: TenantLimits
  /** Own numbers in E.164 form, in the order in which they are used to call; absent before the first. */
  phoneNumbers?: string[]
  /** The country in which phone numbers without one are read, as an ISO 3166 code; absent before it is chosen. */
  country?: string | null
  /** Absent before it is chosen: everything is kept. */
  retention?: RetentionSettings
  /** Absent before the first step is noted. */
  setup?: SetupRecord
  /** Absent in rows of earlier versions, which are done with none. */
  upgrades?: DoneUpgrades
}

export const tenants = defineKindOf<TenantRecord>()('tenants', {
  idPrefix: 'ten',
  writtenBy: 'system',
  scope: 'server',
  fields: {
    _id: text('plain'),
    name: because('the name of an organization', text('plain')),
    isSuspended: flag('plain'),
    limits: optional(because('numbers that the operator sets', json('plain'))),
    phoneNumbers: because('numbers of an organization', optional(json('plain', ['+15550000000']))),
    country: because('the country of an organization', optional(nullableText('plain'))),
    retention: optional(because('numbers of months', json('plain'))),
    setup: optional(because('the times of four steps, and ids of sample rows', json('plain'))),
    upgrades: optional(because('steps that the rows of a tenant have taken', json('internal'))),
    ...times,
  },
  erasure: { rows: 'kept' },
  retention: 'permanent',
})
