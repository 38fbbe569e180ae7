import { z } from 'zod'
import { adminOrKey, defineOperation } from '../contract/define-operation.ts'
import { dataOf, messageReply, successFlag } from '../contract/envelopes.ts'
import { byId } from '../shared/common-fields.ts'
import { createIntegrationBody, integration, updateIntegrationBody } from './integration.ts'

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
  audit: 'integration.created',
  summary: 'Create an integration for files',
  description: 'A tenant has at most 50 integrations.',
  request: { body: createIntegrationBody },
  status: 201,
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
    'An absent field keeps its value; `importSettings` and `mapping` are merged. With `isActive: false` a run in progress is cancelled, and automatic sync is switched off.',
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
