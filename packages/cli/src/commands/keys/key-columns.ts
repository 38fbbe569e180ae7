import type { ApiKey } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'

function keyStatus({ isActive, expiresAt, rotationOverdue }: ApiKey): string {
  if (!isActive) return 'inactive'
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return 'expired'
  return rotationOverdue ? 'overdue for rotation' : 'active'
}

export const keyColumns: readonly Column<ApiKey>[] = [
  { title: 'Id', value: (key) => key._id },
  { title: 'Name', value: (key) => key.name, isFlexible: true },
  { title: 'Key', value: (key) => `${key.keyPrefix}…${key.keyHint}` },
  { title: 'Status', value: keyStatus },
  { title: 'Environment', value: (key) => key.environment, isDetail: true },
  { title: 'Permissions', value: (key) => key.permissions, isFlexible: true, isOptional: true },
  { title: 'Expires', value: (key) => key.expiresAt, isTime: true, isDetail: true },
  { title: 'Rotation due', value: (key) => key.rotationDueAt, isTime: true, isDetail: true },
  { title: 'Last used', value: (key) => key.lastUsedAt, isTime: true },
  { title: 'Created', value: (key) => key.createdAt, isTime: true, isOptional: true },
]
