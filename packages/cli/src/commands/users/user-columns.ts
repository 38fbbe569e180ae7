import type { User } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'

export const userColumns: readonly Column<User>[] = [
  { title: 'Id', value: (user) => user._id },
  { title: 'E-mail', value: (user) => user.email, isFlexible: true },
  {
    title: 'Name',
    value: (user) => [user.firstName, user.lastName].filter(Boolean).join(' '),
    isFlexible: true,
  },
  { title: 'Role', value: (user) => user.role },
  { title: 'Active', value: (user) => user.isActive },
  { title: 'Availability', value: (user) => user.availability, isOptional: true },
  { title: 'Created', value: (user) => user.createdAt, isTime: true, isOptional: true },
]
