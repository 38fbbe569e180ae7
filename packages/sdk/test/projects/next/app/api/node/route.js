import { testSecret } from '@crmkit/sdk/testing'
import { handleWebhooks } from '@crmkit/sdk/webhooks/next'

export const POST = handleWebhooks({
  secrets: testSecret,
  on: { 'user.created': () => Promise.reject(new Error('The handler fails')) },
  onError: () => {},
})
