// The service mounted in an Express app, as another server would embed it. Its data directory is the argument. Limits
// are off: the options of an embedded service cannot set limits that no load reaches.
import express from 'express'
import { createCrm } from '../../src/main/create-crm.ts'

const [dataDir = './data'] = process.argv.slice(2)
const crm = await createCrm({ dataDir, rateLimits: 'off' })
const app = express().use('/crm', crm.router)
await crm.start()
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(
    `listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/crm\n`,
  )
})
process.once('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
  void crm.stop()
})
