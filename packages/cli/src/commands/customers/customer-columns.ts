import type { Customer } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'

export const customerColumns: readonly Column<Customer>[] = [
  { title: 'Id', value: (customer) => customer._id },
  {
    title: 'Name',
    value: ({ profile }) => [profile.firstName, profile.lastName].filter(Boolean).join(' '),
    isFlexible: true,
  },
  { title: 'E-mail', value: ({ profile }) => profile.email, isFlexible: true },
  { title: 'Phone', value: ({ profile }) => profile.phone, isDetail: true },
  { title: 'Company', value: ({ profile }) => profile.company, isFlexible: true, isOptional: true },
  { title: 'Job title', value: (customer) => customer.jobTitle, isDetail: true },
  { title: 'Tier', value: (customer) => customer.tier, isOptional: true },
  { title: 'Status', value: (customer) => customer.status, isOptional: true },
  { title: 'Tags', value: (customer) => customer.tags, isDetail: true },
  {
    title: 'Custom fields',
    value: ({ customFields }) =>
      Object.entries(customFields).map(
        ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ),
    isDetail: true,
  },
  { title: 'External ids', value: (customer) => customer.externalIds, isDetail: true },
  { title: 'Blocked', value: (customer) => customer.blockedAt, isDetail: true, isTime: true },
  { title: 'Last contact', value: (customer) => customer.lastContactAt, isTime: true, isDetail: true },
  { title: 'Created', value: (customer) => customer.createdAt, isTime: true },
]
