import { z } from 'zod'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { countryCode } from '../shared/country.ts'
import { optionalTimestamp, requiredText, timestamp } from '../shared/text.ts'
import { timeZoneName } from '../shared/time-zone.ts'
import {
  conflictPolicies,
  dateOrders,
  handoverStates,
  integrationProviders,
  syncStatuses,
} from './integration-values.ts'

const fieldText = {
  provider:
    'Source of the records. `file`: files that you upload. `package`: the support history of another product.',
  name: 'Name of the integration.',
  isActive: 'Whether it imports. An inactive integration refuses imports and does not sync.',
  importSettings: 'Parts that an import reads when it names none.',
  conflict:
    'Result for a field that was edited here after an import. `merge`: the edited value stays. `source_wins`: the value of the source replaces it. `local_wins`: an import fills blank fields only.',
  emitEvents: 'Whether automatic syncs cause events. An import of the history never does.',
  mapping:
    'For files: the target of each header, by module, such as `{"Contacts": {"Nachname": "lastName"}}`. null leaves a column out.',
  values:
    'For files: what words of a status, stage, priority, channel or type of call mean here, by module and field, such as `{"Cases": {"status": {"Waiting on Customer": "pending"}}}`. Words that it does not name mean what they usually do.',
  timeZone: 'IANA time zone of times in files without an offset, such as `Europe/Berlin`; null: UTC.',
  dateOrder: 'Order of day, month and year in dates of files that are not ISO 8601.',
  dateOrders:
    'For files: the order of the dates of a column, by module and header, such as `{"Contacts": {"Created": "mdy"}}`. It holds where the values prove another one too. Columns that it does not name have the order that their values prove, else `dateOrder`.',
  handover:
    'Of a package. `following`: the team still works in the other product, so replies to its conversations are refused here, and later packages change their status. `done`: the team works here. null: no package.',
  defaultCountry: 'ISO 3166 code of the country of phone numbers without `+`, such as `DE`; null: unknown.',
}

const choiceText = {
  importContacts: 'Contacts and leads, which become customers.',
  importDeals: 'Deals, which become conversations.',
  importTickets: 'Cases (tickets), which become conversations.',
  importNotes: 'Notes, e-mails and messages of threads, which become messages.',
  importActivities: 'Calls, tasks and meetings, which become calls.',
  preserveIds: 'Whether new records get the id of the source where it is free.',
}

export const importSettings = z
  .object({
    importContacts: z.boolean().describe(choiceText.importContacts),
    importDeals: z.boolean().describe(choiceText.importDeals),
    importTickets: z.boolean().describe(choiceText.importTickets),
    importNotes: z.boolean().describe(choiceText.importNotes),
    importActivities: z.boolean().describe(choiceText.importActivities),
    preserveIds: z.boolean().describe(choiceText.preserveIds),
  })
  .describe(fieldText.importSettings)
export type ImportSettings = z.infer<typeof importSettings>

export const syncProgress = z
  .object({
    totalRecords: z.int().describe('Records of the run, as far as they are known.'),
    processedRecords: z.int().describe('Records that the run has read.'),
    currentModule: z.string().nullable().describe('Module that is being read; null when nothing runs.'),
    errors: z.array(z.string()).describe('The newest errors and warnings, at most 100.'),
  })
  .describe('Progress of the active run, or of the latest one.')
export type SyncProgress = z.infer<typeof syncProgress>

export const integration = z
  .object({
    _id: ownId('integration'),
    tenantId,
    provider: z.enum(integrationProviders).describe(fieldText.provider),
    name: z.string().describe(fieldText.name),
    accountId: z
      .string()
      .describe(
        'Id of the account at the source; for files, and before the manifest of a package, the id of the integration.',
      ),
    accountName: z.string().nullable().describe('Name of the account at the source.'),
    accountEmail: z.string().nullable().describe('E-mail address of the account at the source.'),
    apiDomain: z.string().nullable().describe('Origin of the API of the source; null for files.'),
    isActive: z.boolean().describe(fieldText.isActive),
    reauthRequired: z
      .boolean()
      .describe('Whether the source refuses the stored credentials, so that a person has to connect again.'),
    lastSyncAt: optionalTimestamp.describe('End of the last completed run.'),
    syncStatus: z
      .enum(syncStatuses)
      .describe('Activity of the integration. `paused`: it waits for a limit of the source.'),
    syncProgress,
    importSettings,
    autoSync: z
      .object({
        enabled: z.boolean().describe('Whether changes of the source are imported regularly.'),
        intervalMinutes: z.int().describe('Minutes between two syncs.'),
        nextRunAt: optionalTimestamp.describe('Time of the next sync; null when it is off.'),
      })
      .describe('Automatic sync.'),
    conflict: z.enum(conflictPolicies).describe(fieldText.conflict),
    emitEvents: z.boolean().describe(fieldText.emitEvents),
    mapping: z.record(z.string(), z.record(z.string(), z.string().nullable())).describe(fieldText.mapping),
    values: z
      .record(z.string(), z.record(z.string(), z.record(z.string(), z.string())))
      .describe(fieldText.values),
    timeZone: z.string().nullable().describe(fieldText.timeZone),
    dateOrder: z.enum(dateOrders).describe(fieldText.dateOrder),
    dateOrders: z.record(z.string(), z.record(z.string(), z.enum(dateOrders))).describe(fieldText.dateOrders),
    defaultCountry: z.string().nullable().describe(fieldText.defaultCountry),
    handover: z.enum(handoverStates).nullable().describe(fieldText.handover),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Integration', description: 'A source of records: an account of an external CRM, or files.' })
export type Integration = z.infer<typeof integration>

const choice = (text: string) => z.boolean().nullable().optional().describe(text)
export const importSettingsBody = z
  .strictObject({
    importContacts: choice(`${choiceText.importContacts} Default: true.`),
    importDeals: choice(`${choiceText.importDeals} Default: true.`),
    importTickets: choice(`${choiceText.importTickets} Default: true.`),
    importNotes: choice(`${choiceText.importNotes} Default: true.`),
    importActivities: choice(`${choiceText.importActivities} Default: true.`),
    preserveIds: choice(`${choiceText.preserveIds} Default: false.`),
  })
  .nullable()
  .optional()
  .describe(`${fieldText.importSettings} An absent one keeps its value.`)
export type ImportSettingsBody = z.output<typeof importSettingsBody>

const name = requiredText(100)

const secret = z.string().trim().min(1).max(2_000).nullable().optional()

const credentialsBody = z
  .strictObject({
    clientId: secret.describe('Client id of your app at the source. Default: the one of the service.'),
    clientSecret: secret.describe('Secret of that app. Default: the one of the service.'),
    refreshToken: secret.describe('Refresh token; or `accessToken`.'),
    accessToken: secret.describe('Token that does not expire, such as a service key.'),
  })
  .nullable()
  .optional()
  .describe('Credentials at the source, tried immediately, encrypted and never shown.')
export type CredentialsBody = NonNullable<z.output<typeof credentialsBody>>

const sourceOrigin = z.string().trim().min(1).max(300).nullable().optional()

export const createIntegrationBody = z
  .strictObject({
    provider: z.enum(integrationProviders).describe(fieldText.provider),
    name: name.nullable().optional().describe(`${fieldText.name} Default: the name of the provider.`),
    credentials: credentialsBody,
    apiDomain: sourceOrigin.describe(
      'Origin of the API, such as `https://www.zohoapis.eu`. Required for `zoho`.',
    ),
    accountsServer: sourceOrigin.describe(
      'Origin of the token endpoint, such as `https://accounts.zoho.eu`. Default: the one of the service.',
    ),
    importSettings: importSettingsBody,
  })
  .meta({ id: 'CreateIntegration', description: 'A new integration.' })
export type CreateIntegrationBody = z.output<typeof createIntegrationBody>

export const connectIntegrationBody = z
  .strictObject({
    name: name.nullable().optional().describe(`${fieldText.name} Default: the name of the provider.`),
    importSettings: importSettingsBody,
  })
  .meta({ id: 'ConnectIntegration', description: 'The integration that a sign-in makes.' })
export type ConnectIntegrationBody = z.output<typeof connectIntegrationBody>

const headers = z.record(z.string().min(1).max(500), z.string().min(1).max(200).nullable())

const meanings = z.record(z.string().min(1).max(100), z.string().min(1).max(100))
const columnOrders = z.record(z.string().min(1).max(500), z.enum(dateOrders))
const valueTargets = z.record(z.string().min(1).max(100), meanings)

export const updateIntegrationBody = z
  .strictObject({
    name: name.optional().describe(fieldText.name),
    isActive: z.boolean().nullable().optional().describe(`${fieldText.isActive} Default: true.`),
    importSettings: importSettingsBody,
    conflict: z
      .enum(conflictPolicies)
      .nullable()
      .optional()
      .describe(`${fieldText.conflict} Default: merge.`),
    emitEvents: z.boolean().nullable().optional().describe(`${fieldText.emitEvents} Default: false.`),
    mapping: z
      .record(z.string().min(1).max(100), headers.nullable())
      .nullable()
      .optional()
      .describe(`${fieldText.mapping} A named module is replaced, null removes it; the others stay.`),
    values: z
      .record(z.string().min(1).max(100), valueTargets.nullable())
      .nullable()
      .optional()
      .describe(`${fieldText.values} A named module is replaced, null removes it; the others stay.`),
    timeZone: timeZoneName.nullable().optional().describe(fieldText.timeZone),
    dateOrder: z.enum(dateOrders).nullable().optional().describe(`${fieldText.dateOrder} Default: dmy.`),
    dateOrders: z
      .record(z.string().min(1).max(100), columnOrders.nullable())
      .nullable()
      .optional()
      .describe(`${fieldText.dateOrders} A named module is replaced, null removes it; the others stay.`),
    defaultCountry: countryCode.nullable().optional().describe(fieldText.defaultCountry),
  })
  .meta({
    id: 'UpdateIntegration',
    description: 'Changes of an integration. An absent field keeps its value.',
  })
export type UpdateIntegrationBody = z.output<typeof updateIntegrationBody>

export const testedIntegration = z
  .object({
    ok: z.boolean().describe('Whether the source can be read.'),
    checkedAt: timestamp.describe('Time of the test.'),
    account: z
      .object({
        id: z.string().describe('Id of the account.'),
        name: z.string().nullable().describe('Name of the account.'),
        email: z.string().nullable().describe('E-mail address of the account.'),
      })
      .nullable()
      .describe('The account at the source; null when it cannot be read.'),
    modules: z
      .array(
        z.object({
          module: z.string().describe('Module of the source.'),
          readable: z.boolean().describe('Whether the credentials may read it.'),
        }),
      )
      .describe('The modules of the source.'),
    error: z
      .object({
        code: z.enum(['REAUTH_REQUIRED', 'SOURCE_ERROR']).describe('Error for programs.'),
        message: z.string().describe('Error for people.'),
      })
      .nullable()
      .describe('Reason why it cannot be read; null when it can.'),
  })
  .meta({ id: 'TestedIntegration', description: 'Result of a test of the connection.' })

export const fieldModules = ['Contacts', 'Deals', 'Cases', 'Accounts', 'Leads'] as const

export const sourceFields = z
  .object({
    module: z.enum(fieldModules).describe('Module of the source.'),
    label: z.string().describe('Name of the module for people.'),
    fields: z
      .array(
        z.object({
          apiName: z.string().describe('Name of the field at the source; a header of a file.'),
          label: z.string().describe('Name for people.'),
          type: z.string().describe('Type at the source.'),
          required: z.boolean().describe('Whether every record has it.'),
          readOnly: z.boolean().describe('Whether the source computes it.'),
          custom: z.boolean().describe('Whether the account added it.'),
          maxLength: z.int().nullable().describe('Longest value; null when unknown.'),
          options: z
            .array(
              z.object({
                value: z.string().describe('Value of a record.'),
                label: z.string().describe('Text for people.'),
              }),
            )
            .describe('Values of a pick list.'),
          lookupModule: z.string().nullable().describe('Module that it refers to; null for other types.'),
          mappedTo: z.string().nullable().describe('Field here; null when it is not imported.'),
        }),
      )
      .describe('Fields of the module.'),
  })
  .meta({ id: 'SourceFields', description: 'The fields of a module of a source.' })
