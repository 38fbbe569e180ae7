import type { IdFactory, ImportSettings } from '@crmkit/core'
import type { ConflictPolicy } from '@crmkit/core/vocabulary'
import type { ConnectorProvider, SourceModule } from '../../ports/connector.ts'
import type { TenantStore } from '../../ports/storage.ts'
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
const choiceOf: Readonly<Record<SourceModule, keyof ImportSettings>> = {
  Accounts: 'importContacts',
  Contacts: 'importContacts',
  Leads: 'importContacts',
  Deals: 'importDeals',
  Cases: 'importTickets',
  Notes: 'importNotes',
  Calls: 'importActivities',
  Events: 'importActivities',
  Tasks: 'importActivities',
}

export function isSelected(selection: ImportSettings, module: SourceModule): boolean {
  return selection[choiceOf[module]]
}

export function contextOfIntegration({
  provider,
  accountId,
  conflict,
  defaultCountry,
}: Pick<IntegrationRecord, 'provider' | 'accountId' | 'conflict' | 'defaultCountry'>) {
  return { provider, accountId, policy: conflict, defaultCountry }
}
