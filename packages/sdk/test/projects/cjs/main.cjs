const sdk = require('@crmkit/sdk')
const testing = require('@crmkit/sdk/testing')
const webhooks = require('@crmkit/sdk/webhooks')
const receiver = require('@crmkit/sdk/webhooks/next')
const widget = require('@crmkit/sdk/widget')

for (const name of ['express', 'hono', 'lambda']) {
  require(`@crmkit/sdk/webhooks/${name}`).handleWebhooks({ secrets: undefined, on: {} })
}
const service = JSON.parse(process.env.SERVICE)
void import('../story.mjs')
  .then(({ tellStory }) => tellStory({ sdk, webhooks, receiver, testing, widget }, service))
  .then(console.log)
