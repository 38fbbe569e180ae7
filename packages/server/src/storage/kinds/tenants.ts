import type { Tenant } from '@crmkit/core'
import { defineKindOf } from './define-kind.ts'
import { because, flag, text, times } from './fields.ts'

export const tenants = defineKindOf<Tenant>()('tenants', {
  idPrefix: 'ten',
  writtenBy: 'system',
  scope: 'server',
  fields: {
    _id: text('plain'),
    name: because('the name of an organization', text('plain')),
    isSuspended: flag('plain'),
    ...times,
  },
  erasure: { rows: 'kept' },
  retention: 'permanent',
})
