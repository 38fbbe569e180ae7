import type { IdFactory, ImportSettings } from '@crmkit/core'
import type { ConflictPolicy } from '@crmkit/core/vocabulary'
import type { ConnectorProvider, SourceModule } from '../ports/connector.ts'
import type { TenantStore } from '../ports/storage.ts'
import type { IntegrationRecord } from '../storage/kinds/integrations.ts'
import { externalLinkId } from '../storage/rules/external-ids.ts'

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
  /** The name under which an e-mail that is none is kept. */
  emailName: string
  emitEvents: boolean
}

const emailNames: Readonly<Record<ConnectorProvider, string>> = {
  zoho: 'Email',
  hubspot: 'email',
  file: 'email',
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

export function contextOfIntegration(
  integration: Pick<IntegrationRecord, 'provider' | 'accountId' | 'conflict' | 'defaultCountry' | 'mapping'>,
) {
  const { provider, accountId, conflict, defaultCountry, mapping } = integration
  const headers = Object.entries(mapping['Contacts'] ?? {})
  const emailHeader = headers.find(([, target]) => target === 'email')?.[0]
  const emailName = provider === 'file' ? (emailHeader ?? emailNames.file) : emailNames[provider]
  return { provider, accountId, policy: conflict, defaultCountry, emailName }
}
