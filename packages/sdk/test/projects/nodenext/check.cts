import sdk = require('@crmkit/sdk')
import testing = require('@crmkit/sdk/testing')
import webhooks = require('@crmkit/sdk/webhooks')
import express = require('@crmkit/sdk/webhooks/express')

export const names: [typeof sdk.Crm, typeof webhooks.verifyWebhook, typeof express.handleWebhooks] = [
  sdk.Crm,
  webhooks.verifyWebhook,
  express.handleWebhooks,
]
export const event: sdk.CrmEvent = testing.makeEvent('user.created')
