export const importRunStatuses = [
  'queued',
  'running',
  'paused',
  'completed',
  'completed_with_errors',
  'failed',
  'cancelled',
] as const
export type ImportRunStatus = (typeof importRunStatuses)[number]

/** The modules that an import writes, parents before children. */
export const importModules = [
  'Contacts',
  'Leads',
  'Deals',
  'Cases',
  'Notes',
  'Calls',
  'Events',
  'Tasks',
] as const
export type ImportModule = (typeof importModules)[number]

/** The modules that a file can hold. */
export const fileModules = ['Contacts', 'Leads', 'Deals', 'Cases', 'Notes', 'Calls'] as const
export type FileModule = (typeof fileModules)[number]

export const issueSeverities = ['error', 'warning', 'skipped', 'kept'] as const
export const fileFormats = ['csv', 'json', 'ndjson'] as const
export const fileEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const

/** More rows of a run are counted and not stored. */
export const issuesPerRunMax = 10_000
/** A file may have as many bytes. */
export const importFileBytesMax = 1024 ** 3
