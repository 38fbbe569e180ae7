/** The external CRMs that records are imported from; `file` for uploaded files, `package` for a package. */
export const integrationProviders = ['file', 'zoho', 'hubspot', 'package'] as const
export type IntegrationProvider = (typeof integrationProviders)[number]

/** The external CRMs that a person can sign in to. */
export const remoteProviders = ['zoho', 'hubspot'] as const

export { signInMinutes } from '../shared/sign-in-values.ts'

export const providerNames: Readonly<Record<IntegrationProvider, string>> = {
  file: 'Files',
  zoho: 'Zoho CRM',
  hubspot: 'HubSpot',
  package: 'Package',
}

export const syncStatuses = ['idle', 'queued', 'running', 'paused', 'failed'] as const
export type SyncStatus = (typeof syncStatuses)[number]

/** The parts of a source that a person chooses to import. */
export const importChoices = [
  'importContacts',
  'importDeals',
  'importTickets',
  'importNotes',
  'importActivities',
] as const

/** Of a package: whether the team still works in the other product. */
export const handoverStates = ['following', 'done'] as const
export type HandoverState = (typeof handoverStates)[number]

export const conflictPolicies = ['merge', 'source_wins', 'local_wins'] as const
export type ConflictPolicy = (typeof conflictPolicies)[number]

/** The order of day, month and year in dates of a file. */
export const dateOrders = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof dateOrders)[number]

export const integrationsPerTenantMax = 50
export const autoSyncMinutesDefault = 15
