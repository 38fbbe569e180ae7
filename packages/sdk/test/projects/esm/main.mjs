import * as sdk from '@crmkit/sdk'
import * as testing from '@crmkit/sdk/testing'
import * as webhooks from '@crmkit/sdk/webhooks'
import * as express from '@crmkit/sdk/webhooks/express'
import * as hono from '@crmkit/sdk/webhooks/hono'
import * as lambda from '@crmkit/sdk/webhooks/lambda'
import * as receiver from '@crmkit/sdk/webhooks/next'
import * as widget from '@crmkit/sdk/widget'
import { tellStory } from '../story.mjs'

for (const entry of [express, hono, lambda]) entry.handleWebhooks({ secrets: undefined, on: {} })
const service = JSON.parse(process.env.SERVICE)
console.log(await tellStory({ sdk, webhooks, receiver, testing, widget }, service))
