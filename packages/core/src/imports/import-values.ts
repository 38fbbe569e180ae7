import { packageKinds } from '../package/package-values.ts'

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
  'Emails',
  'Calls',
  'Events',
  'Tasks',
] as const
export type ImportModule = (typeof importModules)[number]

/** The modules that a file can hold. */
export const fileModules = ['Contacts', 'Leads', 'Deals', 'Cases', 'Notes', 'Calls'] as const
export type FileModule = (typeof fileModules)[number]

/** The modules of files, and the kinds of a package. */
export const balancedModules = [...fileModules, ...packageKinds] as const
export type BalancedModule = (typeof balancedModules)[number]

export const issueSeverities = ['error', 'warning', 'skipped', 'kept'] as const
/** The codes of the rows of an import's errors. */
export const issueCodes = [
  'AMBIGUOUS_MATCH',
  'ATTACHMENT_MISSING',
  'AUTHOR_UNKNOWN',
  'BALANCE_OPEN',
  'CELL_COUNT',
  'CHANGED_SINCE',
  'COLUMN_NOT_STORED',
  'CONFLICT_KEPT',
  'DATE_ORDER',
  'DELETED_HERE',
  'DUPLICATE_ID',
  'ERASED',
  'FILE_CUT',
  'ID_CONFLICT',
  'INBOX_NOT_MAPPED',
  'INVALID_RECORD',
  'INVALID_VALUE',
  'KIND_NOT_SUPPORTED',
  'MISSING_REFERENCE',
  'MODULE_FORBIDDEN',
  'NAME_DIFFERS',
  'OPEN_QUOTE',
  'OUTSIDE_TABLE',
  'OUT_OF_RANGE',
  'PARENT_MISSING',
  'PARENT_NOT_SELECTED',
  'ROUNDED_ID',
  'SOURCE_TRUNCATED',
  'TOO_MANY_COLUMNS',
  'UNMAPPED_VALUE',
] as const
export const fileFormats = ['csv', 'json', 'ndjson', 'vcf', 'xlsx'] as const
export const surveyStatuses = ['running', 'done', 'failed'] as const
export const fileEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
] as const

/** More rows of a run are counted and not stored. */
export const issuesPerRunMax = 10_000
/** A file may have as many bytes. */
export const importFileBytesMax = 1024 ** 3
