import { testsOf } from './row.ts'

const http = (name: string) => testsOf(`packages/server/test/http/${name}.test.ts`)
const webhooks = (name: string) => testsOf(`packages/server/src/features/webhooks/${name}.test.ts`)
const core = (name: string) => testsOf(`packages/core/src/${name}.test.ts`)
const server = (name: string) => testsOf(`packages/server/${name}`)

/** The files of the tests that prove rows, by a short name. */
export const tests = {
  addresses: http('addresses'),
  apiDocs: http('api-docs'),
  apiKeys: http('api-keys'),
  attempt: webhooks('attempt-delivery'),
  auth: http('auth'),
  conversationRules: core('conversations/conversation-rules'),
  conversations: http('conversations'),
  crashes: server('test/faults/crash-points.test.ts'),
  credentials: http('credentials'),
  deliveries: webhooks('deliver-due'),
  destinations: webhooks('destinations'),
  events: http('events'),
  everyList: http('every-list'),
  everyOperation: http('every-operation'),
  foreignIds: server('test/isolation/foreign-ids.test.ts'),
  handleError: server('src/http/handle-error.test.ts'),
  keyRules: core('api-keys/api-key-rules'),
  keyText: core('api-keys/api-key-text'),
  limits: http('limits'),
  manageWebhooks: webhooks('manage-webhooks'),
  matrix: server('test/isolation/matrix.test.ts'),
  requests: http('requests'),
  retries: core('webhooks/retry-schedule'),
  sender: server('src/adapters/https-sender/https-sender.test.ts'),
  sessionTokens: server('src/security/session-tokens.test.ts'),
  signing: core('signing/signing'),
  specification: http('specification'),
  storageDeliveries: server('src/ports/storage-contract/deliveries.contract.ts'),
}
