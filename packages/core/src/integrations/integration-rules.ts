import type { CrossFieldRule } from '../contract/define-operation.ts'
import { updatedField } from '../shared/updated-field.ts'
import type { ImportSettings, ImportSettingsBody, Integration, UpdateIntegrationBody } from './integration.ts'
import {
  autoSyncMinutesDefault,
  type IntegrationProvider,
  importChoices,
  providerNames,
} from './integration-values.ts'

const defaultImportSettings: ImportSettings = {
  importContacts: true,
  importDeals: true,
  importTickets: true,
  importNotes: true,
  importActivities: true,
  preserveIds: false,
}

export const noProgress: Integration['syncProgress'] = {
  totalRecords: 0,
  processedRecords: 0,
  currentModule: null,
  errors: [],
}

/** The account at a source. A file has none: the id of its integration stands for it. */
export interface SourceOfIntegration {
  provider: IntegrationProvider
  accountId: string
  accountName: string | null
  accountEmail: string | null
  apiDomain: string | null
}

export interface NewIntegration {
  id: string
  tenantId: string
  now: string
  source: SourceOfIntegration
  name?: string | null | undefined
  importSettings?: ImportSettingsBody
  defaultCountry?: string | null
  timeZone?: string | null
}

export function newIntegration(made: NewIntegration): Integration {
  const { id, tenantId, now, source } = made
  return {
    _id: id,
    tenantId,
    provider: source.provider,
    name: made.name ?? providerNames[source.provider],
    accountId: source.accountId,
    accountName: source.accountName,
    accountEmail: source.accountEmail,
    apiDomain: source.apiDomain,
    isActive: true,
    reauthRequired: false,
    lastSyncAt: null,
    syncStatus: 'idle',
    syncProgress: noProgress,
    importSettings: updatedImportSettings(defaultImportSettings, made.importSettings),
    autoSync: { enabled: false, intervalMinutes: autoSyncMinutesDefault, nextRunAt: null },
    conflict: 'merge',
    emitEvents: false,
    mapping: {},
    values: {},
    timeZone: made.timeZone ?? null,
    dateOrder: 'dmy',
    dateOrders: {},
    defaultCountry: made.defaultCountry ?? null,
    handover: source.provider === 'package' ? 'following' : null,
    createdAt: now,
    updatedAt: now,
  }
}

/** The settings after a body that names some of them. Null stands for the default. */
export function updatedImportSettings(before: ImportSettings, body: ImportSettingsBody): ImportSettings {
  if (body === undefined) return before
  if (body === null) return defaultImportSettings
  const after = { ...before }
  for (const choice of [...importChoices, 'preserveIds'] as const) {
    after[choice] = updatedField(body[choice], before[choice]) ?? defaultImportSettings[choice]
  }
  return after
}

/** The integration after a PUT. An inactive integration does not sync. */
export function updatedIntegration(
  before: Integration,
  body: UpdateIntegrationBody,
  now: string,
): Integration {
  const isActive = updatedField(body.isActive, before.isActive) ?? true
  return {
    ...before,
    name: updatedField(body.name, before.name),
    isActive,
    autoSync: isActive ? before.autoSync : { ...before.autoSync, enabled: false, nextRunAt: null },
    importSettings: updatedImportSettings(before.importSettings, body.importSettings),
    conflict: updatedField(body.conflict, before.conflict) ?? 'merge',
    emitEvents: updatedField(body.emitEvents, before.emitEvents) ?? false,
    mapping: body.mapping === undefined ? before.mapping : mergedModules(before.mapping, body.mapping),
    values: body.values === undefined ? before.values : mergedModules(before.values, body.values),
    timeZone: updatedField(body.timeZone, before.timeZone),
    dateOrder: updatedField(body.dateOrder, before.dateOrder) ?? 'dmy',
    dateOrders:
      body.dateOrders === undefined ? before.dateOrders : mergedModules(before.dateOrders, body.dateOrders),
    defaultCountry: updatedField(body.defaultCountry, before.defaultCountry),
    updatedAt: now,
  }
}

/** Replaces the modules that are given, and removes those that are null; null as a whole removes all. */
function mergedModules<T>(
  before: Readonly<Record<string, T>>,
  given: Readonly<Record<string, T | null>> | null,
): Record<string, T> {
  if (given === null) return {}
  const merged = Object.entries({ ...before, ...given })
  return Object.fromEntries(merged.flatMap(([module, one]) => (one === null ? [] : [[module, one]])))
}

/** A rule that holds for a body of these providers. */
function ruleFor(
  providers: readonly IntegrationProvider[],
  description: string,
  problemOf: (body: Readonly<Record<string, unknown>>) => ReturnType<CrossFieldRule['check']>,
): CrossFieldRule {
  const isOf = (provider: unknown) => providers.some((name) => name === provider)
  return { description, check: (body) => (isOf(body['provider']) ? problemOf(body) : undefined) }
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''

const unknownForFiles = (['credentials', 'apiDomain', 'accountsServer'] as const).map((field) =>
  ruleFor(['file', 'package'], `\`${field}\` is an unknown field for files and packages.`, (body) =>
    body[field] === undefined
      ? undefined
      : { field, message: 'is not a field of an integration for files or a package', rule: 'unknown_field' },
  ),
)

const needsApiDomain = ruleFor(['zoho'], 'Zoho CRM needs `apiDomain`.', (body) =>
  isGiven(body['apiDomain']) ? undefined : { field: 'apiDomain', message: 'is required', rule: 'required' },
)

const needsToken = ruleFor(
  ['zoho', 'hubspot'],
  'External CRMs need `credentials` with `refreshToken` or `accessToken`.',
  (body) => {
    const given = (body['credentials'] ?? {}) as Readonly<Record<string, unknown>>
    if (isGiven(given['refreshToken']) || isGiven(given['accessToken'])) return undefined
    return { field: 'credentials', message: 'must hold refreshToken or accessToken', rule: 'required' }
  },
)

export const newIntegrationRules: readonly CrossFieldRule[] = [...unknownForFiles, needsApiDomain, needsToken]
