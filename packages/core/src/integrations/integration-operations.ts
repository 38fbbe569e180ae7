import { z } from 'zod'
import { adminOrKey, defineOperation, none, session } from '../contract/define-operation.ts'
import { dataOf, messageReply, successFlag } from '../contract/envelopes.ts'
import { byId } from '../shared/common-fields.ts'
import { referenceTo } from '../shared/reference.ts'
import { confirmSignInBody, startedSignIn } from '../shared/sign-in.ts'
import {
  connectIntegrationBody,
  createIntegrationBody,
  fieldModules,
  integration,
  sourceFields,
  testedIntegration,
  updateIntegrationBody,
} from './integration.ts'
import { newIntegrationRules } from './integration-rules.ts'
import { remoteProviders } from './integration-values.ts'

const path = '/api/extcrm/integrations'
const params = byId('integration')
const reading = adminOrKey('read:customers')
const writing = adminOrKey('write:customers', 'write:conversations')

export const listIntegrations = defineOperation({
  id: 'integrations.list',
  method: 'GET',
  path,
  auth: reading,
  summary: 'List all integrations, oldest first',
  status: 200,
  response: z.object({
    success: successFlag,
    data: z.array(integration).describe('All integrations of the tenant.'),
  }),
})

export const createIntegration = defineOperation({
  id: 'integrations.create',
  method: 'POST',
  path,
  auth: writing,
  audit: ['integration.created', 'integration.updated'],
  summary: 'Create an integration for files, or connect an external CRM with credentials',
  description:
    'Credentials are tried immediately: refused ones are 422 with the rule `credentials`, a source that cannot be reached is 422 with the rule `unreachable`. The same account again is the same integration with new credentials, and the status is 200. A tenant has at most 50 integrations.',
  request: { body: createIntegrationBody },
  rules: newIntegrationRules,
  status: 201,
  statusOfRepeat: 200,
  response: dataOf(integration),
})

const providerParams = z.object({ provider: z.enum(remoteProviders).describe('The external CRM.') })

export const connectIntegration = defineOperation({
  id: 'integrations.connect',
  method: 'POST',
  path: `${path}/connect/{provider}`,
  auth: session('admin'),
  audit: none('nothing is connected before the sign-in is confirmed, which has the entry'),
  summary: 'Start a sign-in at an external CRM',
  description:
    'Open `authorizationUrl` in a browser; after the grant, confirm with `state`. Only the person who started can confirm, within 10 minutes. ' +
    'Without a client id in the settings of the server: 422 with the rule `not_configured`.',
  request: { params: providerParams, body: connectIntegrationBody },
  status: 200,
  response: dataOf(startedSignIn),
  idempotency: 'never',
  limit: { name: 'signIns', requests: 30, windowSeconds: 3600, per: 'credential' },
})

export const confirmIntegration = defineOperation({
  id: 'integrations.confirm',
  method: 'POST',
  path: '/api/extcrm/oauth/{provider}/confirm',
  auth: session('admin'),
  audit: ['integration.created', 'integration.updated'],
  summary: 'Connect the account of a sign-in',
  description:
    'The status is 404 until the person has granted access in the browser, and after the state was used; 422 with the rule `denied` when the person has refused. ' +
    'The same account again is the same integration with new credentials, and the status is 200.',
  request: { params: providerParams, body: confirmSignInBody },
  status: 201,
  statusOfRepeat: 200,
  response: dataOf(integration),
})

export const getIntegration = defineOperation({
  id: 'integrations.get',
  method: 'GET',
  path: `${path}/{id}`,
  auth: reading,
  summary: 'Get one integration with the progress of its import',
  request: { params },
  status: 200,
  response: dataOf(integration),
})

export const updateIntegration = defineOperation({
  id: 'integrations.update',
  method: 'PUT',
  path: `${path}/{id}`,
  auth: writing,
  audit: 'integration.updated',
  summary: 'Update an integration',
  description:
    'An absent field keeps its value; `importSettings`, `mapping`, `values` and `dateOrders` are merged. With `isActive: false` a run in progress is cancelled, and automatic sync is switched off.',
  request: { params, body: updateIntegrationBody },
  status: 200,
  response: dataOf(integration),
})

export const deleteIntegration = defineOperation({
  id: 'integrations.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  auth: writing,
  audit: 'integration.deleted',
  summary: 'Disconnect an integration; imported records stay',
  description:
    'Cancels a run in progress and removes credentials, uploaded files and settings. The same account, connected again, continues with the same records.',
  request: { params },
  status: 200,
  response: messageReply,
})

export const handOverIntegration = defineOperation({
  id: 'integrations.handOver',
  method: 'POST',
  path: `${path}/{id}/handover`,
  auth: writing,
  audit: ['integration.handed_over', none('a second hand-over changes nothing')],
  summary: 'Hand the conversations of a package over: from now on the team works here',
  description:
    'Until then a reply to a conversation of the package is refused with `INVALID_STATE`, unless the header `Force` is `true`. Later packages change status, assignee and labels no more. ' +
    'An integration of another provider is an INVALID_STATE; one with an active run is IMPORT_IN_PROGRESS.',
  request: { params },
  status: 200,
  response: dataOf(integration),
})

export const testIntegration = defineOperation({
  id: 'integrations.test',
  method: 'POST',
  path: `${path}/{id}/test`,
  auth: writing,
  audit: ['integration.reauth_required', none('a test that succeeds changes nothing that a person decided')],
  summary: 'Test the connection of an integration',
  description:
    'Takes at most 15 s and two requests to the source. The status is 200 whether the source can be read or not.',
  request: { params },
  status: 200,
  response: dataOf(testedIntegration),
})

const integrationReference = (text: string) =>
  referenceTo('integration', z.string().max(128)).optional().describe(text)

export const getSourceFields = defineOperation({
  id: 'integrations.fields',
  method: 'GET',
  path: '/api/extcrm/fields/{module}',
  auth: reading,
  summary: 'List the fields of a module of a source, and what each is mapped to',
  description: 'The result may be 10 minutes old.',
  request: {
    params: z.object({ module: z.enum(fieldModules).describe('Module of the source.') }),
    query: z.object({
      integrationId: integrationReference('Id of the integration. Required.'),
      integration_id: integrationReference('Another name of `integrationId`.'),
      id: integrationReference('Another name of `integrationId`.'),
    }),
  },
  status: 200,
  response: dataOf(sourceFields),
})
