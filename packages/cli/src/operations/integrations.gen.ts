// Generated from the contract by scripts/generate.ts. Do not edit.
import type { AutoSync, ConfirmIntegration, ConnectIntegration, CreateIntegration, Integration, IntegrationsFieldsQuery, MessageReply, SourceFields, StartedSignIn, TestedIntegration, UpdateIntegration } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const integrations = {
  list: operation<NoInput, Integration[]>({
    name: 'list',
    summary: 'List all integrations, oldest first',
    need: 'any',
    fields: [],
    send: (crm) => crm.integrations.list(),
  }),
  create: operation<CreateIntegration, Integration>({
    name: 'create',
    summary: 'Create an integration for files, or connect an external CRM with credentials',
    need: 'any',
    fields: [
      {"name":"provider","type":"text","text":"source of the records. file: files that you upload. package: the support history of another product","value":"provider","choices":["file","zoho","hubspot","package"],"isRequired":true},
      {"name":"name","type":"text","text":"name of the integration; default: the name of the provider","value":"name","isNullable":true},
      {"name":"apiDomain","type":"text","text":"origin of the API, such as https://www.zohoapis.eu","value":"text","isNullable":true},
      {"name":"accountsServer","type":"text","text":"origin of the token endpoint, such as https://accounts.zoho.eu; default: the one of the service","value":"text","isNullable":true},
    ],
    example: '--provider file',
    send: (crm, _id, input) => crm.integrations.create(input),
  }),
  connect: operation<ConnectIntegration, StartedSignIn>({
    name: 'connect',
    summary: 'Start a sign-in at an external CRM',
    need: 'session',
    fields: [
      {"name":"name","type":"text","text":"name of the integration; default: the name of the provider","value":"name","isNullable":true},
    ],
    example: '--name \'Old CRM\'',
    send: (crm, id, input) => crm.integrations.connect(id, input),
  }),
  confirm: operation<ConfirmIntegration, Integration>({
    name: 'confirm',
    summary: 'Connect the account of a sign-in',
    need: 'session',
    fields: [
      {"name":"state","type":"text","text":"state of the sign-in","value":"text","isRequired":true},
    ],
    example: '--state 5Fq3nJ8kZ0pXcY7vR2tLw1sHd9aGm4bEu6iQoKyTzNA',
    send: (crm, id, input) => crm.integrations.confirm(id, input),
  }),
  get: operation<NoInput, Integration>({
    name: 'get',
    summary: 'Get one integration with the progress of its import',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.integrations.get(id),
  }),
  update: operation<UpdateIntegration, Integration>({
    name: 'update',
    summary: 'Update an integration',
    need: 'any',
    fields: [
      {"name":"name","type":"text","text":"name of the integration","value":"name"},
      {"name":"isActive","type":"flag","text":"whether it imports","value":"text","isNullable":true},
      {"name":"conflict","type":"text","text":"result for a field that was edited here after an import. merge: the edited value stays. source_wins: the value of the source replaces it. local_wins: an import fills blank fields only","value":"conflict","choices":["merge","source_wins","local_wins"],"isNullable":true},
      {"name":"emitEvents","type":"flag","text":"whether automatic syncs cause events","value":"text","isNullable":true},
      {"name":"timeZone","type":"text","text":"IANA time zone of times in files without an offset, such as Europe/Berlin","value":"text","isNullable":true},
      {"name":"dateOrder","type":"text","text":"order of day, month and year in dates of files that are not ISO 8601","value":"order","choices":["dmy","mdy","ymd"],"isNullable":true},
      {"name":"defaultCountry","type":"text","text":"ISO 3166 code of the country of phone numbers without +, such as DE","value":"text","isNullable":true},
    ],
    example: '--date-order dmy',
    send: (crm, id, input) => crm.integrations.update(id, input),
  }),
  delete: operation<NoInput, MessageReply>({
    name: 'delete',
    summary: 'Disconnect an integration; imported records stay',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.integrations.delete(id),
  }),
  handOver: operation<NoInput, Integration>({
    name: 'handOver',
    summary: 'Hand the conversations of a package over: from now on the team works here',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.integrations.handOver(id),
  }),
  test: operation<NoInput, TestedIntegration>({
    name: 'test',
    summary: 'Test the connection of an integration',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.integrations.test(id),
  }),
  fields: operation<IntegrationsFieldsQuery, SourceFields>({
    name: 'fields',
    summary: 'List the fields of a module of a source, and what each is mapped to',
    need: 'any',
    fields: [
      {"name":"integrationId","type":"text","text":"id of the integration","value":"id"},
      {"name":"integration_id","type":"text","text":"another name of integrationId","value":"text"},
      {"name":"id","type":"text","text":"another name of integrationId","value":"id"},
    ],
    send: (crm, id, input) => crm.integrations.fields(id, input),
  }),
  setAutoSync: operation<AutoSync, Integration>({
    name: 'setAutoSync',
    summary: 'Switch automatic sync on or off',
    need: 'any',
    fields: [
      {"name":"enabled","type":"flag","text":"whether changes of the source are imported regularly","value":"text","isRequired":true},
      {"name":"intervalMinutes","type":"integer","text":"minutes between two syncs, 1 to 1440","value":"number","isNullable":true},
    ],
    example: '--enabled',
    send: (crm, id, input) => crm.integrations.setAutoSync(id, input),
  }),
}
