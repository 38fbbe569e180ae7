// Receives crmkit's webhooks and prints every event that is truly from the server.
import { handleWebhooks, memoryReplayCache } from '@crmkit/sdk/webhooks/express'
import express from 'express'

const receive = handleWebhooks({
  secrets: process.env['CRM_WEBHOOK_SECRET'],
  // An event is delivered at least once: the cache skips a repetition.
  replayCache: memoryReplayCache(),
  on: {
    other: ({ event, id, data }) => console.log(`verified ${event} ${id} ${JSON.stringify(data)}`),
  },
  onError: (error, { status }) => console.error(`refused with ${status}: ${error}`),
})

const server = express()
  .post('/hook', receive)
  .listen(Number(process.env['PORT'] ?? 4242), '127.0.0.1', () => {
    const address = server.address()
    console.log(
      `receiver listening on http://localhost:${typeof address === 'object' ? address?.port : ''}/hook`,
    )
  })
