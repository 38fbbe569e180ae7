import type { IdFactory, ImportSettings } from '@crmkit/core'
import type { ConflictPolicy } from '@crmkit/core/vocabulary'
import type { ConnectorProvider, RecordModule } from '../../ports/connector.ts'
import type { TenantReads, TenantStore } from '../../ports/storage.ts'
import { externalLinkId } from '../../storage/external-ids.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'

/** Everything that stays the same during a run. */
export interface ImportContext {
  store: TenantStore
  ids: IdFactory
  now(): string
  runId: string
  provider: ConnectorProvider
  accountId: string
  policy: ConflictPolicy
  defaultCountry: string | null
  selection: ImportSettings
  isDryRun: boolean
  emitEvents: boolean
}

export function externalIdOf(
  { provider, accountId }: Pick<ImportContext, 'provider' | 'accountId'>,
  { module, id }: { module: string; id: string },
): string {
  return `${provider}:${accountId}:${module}:${id}`
}

export function linkIdOf(
  context: Pick<ImportContext, 'provider' | 'accountId'>,
  link: { module: string; id: string },
): string {
  return externalLinkId(externalIdOf(context, link))
}

/** The part of a selection that reads a module. */
export const choiceOf: Readonly<Record<RecordModule, keyof ImportSettings>> = {
  Accounts: 'importContacts',
  Contacts: 'importContacts',
  Leads: 'importContacts',
  Deals: 'importDeals',
  Cases: 'importTickets',
  Notes: 'importNotes',
  Emails: 'importNotes',
  Calls: 'importActivities',
  Events: 'importActivities',
  Tasks: 'importActivities',
  people: 'importContacts',
}

export function isSelected(selection: ImportSettings, module: RecordModule): boolean {
  return selection[choiceOf[module]]
}

export type SourceContext = Pick<ImportContext, 'provider' | 'accountId' | 'policy' | 'defaultCountry'>

/** Numbers of a source that says no country are of the tenant's. */
export async function contextOfIntegration(
  store: Pick<TenantReads, 'phones'>,
  {
    provider,
    accountId,
    conflict,
    defaultCountry,
  }: Pick<IntegrationRecord, 'provider' | 'accountId' | 'conflict' | 'defaultCountry'>,
): Promise<SourceContext> {
  const country = defaultCountry ?? (await store.phones())?.country ?? null
  return { provider, accountId, policy: conflict, defaultCountry: country }
}
