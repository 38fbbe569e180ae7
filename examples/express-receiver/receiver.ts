// Receives crmkit's webhooks over HTTPS and prints every event that is truly from the server.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { unwrapWebhook, WebhookVerificationError } from '@crmkit/sdk/webhooks'
import express from 'express'
import { generate } from 'selfsigned'

const { CRM_WEBHOOK_SECRET: secrets = '', CRM_DATA_DIR: dataDir = './data', PORT = '8443' } = process.env
const seen = new Set<string>()

const app = express().post('/hook', async (req, res) => {
  try {
    const event = await unwrapWebhook(req, { secrets })
    // An event is delivered at least once: the id identifies a repetition.
    if (!seen.has(event.id)) console.log(`verified ${event.event} ${event.id} ${JSON.stringify(event.data)}`)
    seen.add(event.id)
    res.sendStatus(200)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    console.error(`refused: ${error.message}`)
    res.sendStatus(400)
  }
})

// A certificate for this machine only; a server in development trusts it from its data directory.
const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
  keyType: 'ec',
  algorithm: 'sha256',
  extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
})
writeFileSync(`${dataDir}/webhook-ca.pem`, cert)
const server = createServer({ key, cert }, app).listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : PORT
  console.log(`receiver listening on https://localhost:${port}/hook`)
})
