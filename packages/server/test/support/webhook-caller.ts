import { permissions as allPermissions, type Operation } from '@crmkit/core'
import { createConnectorHosts } from '../../src/connectors/connector-hosts.ts'
import { createRoundRobin } from '../../src/features/conversations/choose-assignee.ts'
import type { Handler, HandlerContext } from '../../src/features/handler.ts'
import type { Connectors } from '../../src/ports/connectors.ts'
import { createSessionTokens } from '../../src/security/session-tokens.ts'
import { add } from '../contracts/storage/samples.contract.ts'
import type { useDeliveryHarness } from './delivery-harness.ts'

/** A service without connectors of external CRMs. */
function noConnectors(): Connectors {
  const app = { clientId: null, clientSecret: null, accountsServer: 'https://accounts.zoho.com' }
  const settings = {
    zoho: { ...app, clientSecrets: {} },
    hubspot: { ...app, apiDomain: 'https://api.hubapi.com' },
    hosts: [],
    caFile: undefined,
  }
  const open = () => {
    throw new Error('There are no integrations here')
  }
  const signIn = { authorizationUrl: open, accountsServerOf: open, exchange: open, revoke: open }
  const signIns = { zoho: signIn, hubspot: signIn }
  return { open, openNew: open, signIns, hosts: createConnectorHosts(settings), settings }
}

/** Runs handlers for a tenant of its own as the HTTP layer does: reply and commit. */
export async function openCaller(
  harness: ReturnType<typeof useDeliveryHarness>,
  own: Partial<HandlerContext['services']> = {},
) {
  const { tenantId, store, ...tenant } = await harness.openTenant()
  const { ids, secrets, guard } = harness
  const [key] = await add(store, 'apiKeys', [{ permissions: [...allPermissions] }])
  const services = {
    secrets,
    checkDestination: guard.checkDestination,
    sender: own.sender ?? harness.openSender(),
    sources: noConnectors(),
    version: '1.0.0',
    roundRobin: createRoundRobin(),
    telephony: undefined,
    invites: createSessionTokens(['the tests sign the tokens of sessions with this']),
    attachments: { read: async () => undefined, sizeOf: async () => undefined },
    ...own,
  }
  const run = async <O extends Operation>(
    handler: Handler<O>,
    input: object,
    { permissions = ['webhook:manage', 'read:customers', 'read:conversations'] } = {},
  ) => {
    const actor = { type: 'apiKey', _id: key?._id, permissions } as unknown as HandlerContext['actor']
    const now = new Date().toISOString()
    const caller = { tenantId, tenantLimits: undefined, store, actor }
    const ctx = {
      ...caller,
      ids,
      now,
      requestId: 'req_12345678',
      mountPath: '',
      serviceUrl: 'http://localhost',
      services,
    }
    const outcome = await handler(ctx as never, { params: {}, query: {}, body: {}, ...input } as never)
    if (outcome.change) await store.commit(outcome.change)
    return outcome
  }
  return { ...tenant, tenantId, store, run }
}
