import * as sdk from '@crmkit/sdk'
import * as testing from '@crmkit/sdk/testing'
import * as webhooks from '@crmkit/sdk/webhooks'
import * as receiver from '@crmkit/sdk/webhooks/next'
import * as widget from '@crmkit/sdk/widget'
import { tellStory } from '../story.mjs'

/** A worker, without Node's modules: one request tells the story with the service of its query. */
// biome-ignore lint/style/noDefaultExport: workers are default exports
export default {
  async fetch(request) {
    const service = JSON.parse(new URL(request.url).searchParams.get('service'))
    try {
      return new Response(await tellStory({ sdk, webhooks, receiver, testing, widget }, service))
    } catch (error) {
      return new Response(String(error?.stack), { status: 500 })
    }
  },
}
