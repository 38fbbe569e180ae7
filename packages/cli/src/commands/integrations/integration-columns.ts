import type { Integration } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'

export const integrationColumns: readonly Column<Integration>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Provider', value: (row) => row.provider },
  { title: 'Name', value: (row) => row.name, isFlexible: true },
  { title: 'Account', value: (row) => row.accountName ?? row.accountId, isFlexible: true },
  { title: 'Status', value: (row) => row.syncStatus },
  { title: 'Last sync', value: (row) => row.lastSyncAt, isTime: true },
  { title: 'Active', value: (row) => row.isActive, isOptional: true },
  { title: 'Sign in again', value: (row) => row.reauthRequired, isOptional: true },
  { title: 'Processed', value: ({ syncProgress }) => syncProgress.processedRecords, isDetail: true },
  { title: 'Total', value: ({ syncProgress }) => syncProgress.totalRecords, isDetail: true },
  { title: 'Auto-sync', value: ({ autoSync }) => autoSync.enabled, isDetail: true },
  { title: 'Next sync', value: ({ autoSync }) => autoSync.nextRunAt, isDeadline: true, isDetail: true },
  { title: 'Conflicts', value: (row) => row.conflict, isDetail: true },
  { title: 'Time zone', value: (row) => row.timeZone, isDetail: true },
  { title: 'Date order', value: (row) => row.dateOrder, isDetail: true },
  { title: 'Date orders', value: ({ dateOrders }) => JSON.stringify(dateOrders), isDetail: true },
  { title: 'Country', value: (row) => row.defaultCountry, isDetail: true },
  { title: 'Mapping', value: ({ mapping }) => JSON.stringify(mapping), isDetail: true },
  { title: 'Created', value: (row) => row.createdAt, isTime: true, isOptional: true },
]
