import * as sdk from '@crmkit/sdk'
import * as testing from '@crmkit/sdk/testing'
import * as webhooks from '@crmkit/sdk/webhooks'
import * as receiver from '@crmkit/sdk/webhooks/hono'
import * as widget from '@crmkit/sdk/widget'
import { tellStory } from '../story.mjs'

/** Hono hands over its own context. */
const next = {
  handleWebhooks: (options) => (raw) => receiver.handleWebhooks(options)({ req: { raw } }),
}
const service = JSON.parse(process.env.SERVICE)
console.log(await tellStory({ sdk, webhooks, receiver: next, testing, widget }, service))
