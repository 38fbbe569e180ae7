import * as sdk from '@crmkit/sdk'
import * as testing from '@crmkit/sdk/testing'
import * as webhooks from '@crmkit/sdk/webhooks'
import * as receiver from '@crmkit/sdk/webhooks/next'
import * as widget from '@crmkit/sdk/widget'
import { tellStory } from '../story.mjs'

const { searchParams, origin } = new URL(location.href)
const service = { baseUrl: origin, apiKey: searchParams.get('key') }
const result = await tellStory({ sdk, webhooks, receiver, testing, widget }, service).catch((error) =>
  String(error?.stack),
)
document.body.textContent = result
await fetch('/result', { method: 'POST', body: JSON.stringify(result) })
