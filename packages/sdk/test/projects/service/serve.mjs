// A service of its own for the projects, from the packed server: it prints its address and a key, and serves the
// files of FOLDER under /page, so that a page has the service's own origin. What a page posts to /result is printed.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename, extname, join } from 'node:path'
import { Crm } from '@crmkit/sdk'

// Its name comes from outside: this file stands in the SDK, which must not know the server.
const { createCrm } = await import(process.env.SERVER)
const folder = process.env.FOLDER ?? '.'
const crm = await createCrm({ temporary: true })
const types = { '.html': 'text/html', '.js': 'text/javascript' }

const server = createServer((req, res) => {
  if (req.url === '/result') {
    req.setEncoding('utf8').on('data', (text) => process.stdout.write(`${text}\n`))
    res.end()
  } else if (req.url.startsWith('/page/')) {
    const file = basename(new URL(req.url, 'http://page').pathname)
    res.setHeader('content-type', types[extname(file)] ?? 'text/plain')
    if (existsSync(join(folder, file))) res.end(readFileSync(join(folder, file)))
    else res.writeHead(404).end()
  } else {
    crm.handler(req, res)
  }
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const baseUrl = `http://127.0.0.1:${server.address().port}`

const person = { email: 'ada@example.com', password: 'correct horse battery' }
await new Crm({ baseUrl }).auth.register({ tenantName: 'Engines', ...person })
const owner = new Crm({ baseUrl, session: person })
const permissions = ['read:customers', 'write:customers']
const { key } = await owner.apiKeys.create({ name: 'projects', environment: 'production', permissions })
process.stdout.write(`${JSON.stringify({ baseUrl, apiKey: key })}\n`)

process.once('SIGTERM', async () => {
  server.close()
  server.closeAllConnections()
  await crm.stop()
  process.exit(0)
})
