/** The external CRMs that records are imported from; `file` for uploaded files. */
export const integrationProviders = ['file', 'zoho', 'hubspot'] as const
export type IntegrationProvider = (typeof integrationProviders)[number]

/** The external CRMs that a person can sign in to. */
export const remoteProviders = ['zoho', 'hubspot'] as const

export const signInMinutes = 10

export const providerNames: Readonly<Record<IntegrationProvider, string>> = {
  file: 'Files',
  zoho: 'Zoho CRM',
  hubspot: 'HubSpot',
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

export const conflictPolicies = ['merge', 'source_wins', 'local_wins'] as const
export type ConflictPolicy = (typeof conflictPolicies)[number]

/** The order of day, month and year in dates of a file. */
export const dateOrders = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof dateOrders)[number]

export const integrationsPerTenantMax = 50
export const autoSyncMinutesDefault = 15
