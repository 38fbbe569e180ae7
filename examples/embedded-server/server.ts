// Your own Express app with the whole CRM mounted under /support.
import { createCrm } from '@crmkit/server'
import express from 'express'

const crm = await createCrm({ dataDir: process.env['CRM_DATA_DIR'] ?? './data' })

const app = express()
app.get('/', (_req, res) => {
  res.send('My shop')
})
app.use('/support', crm.router)

await crm.start()
const server = app.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1', () => {
  const address = server.address()
  console.log(`shop listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})

process.once('SIGTERM', () => {
  server.close(async () => {
    await crm.stop()
    process.exit(0)
  })
  server.closeIdleConnections()
})
