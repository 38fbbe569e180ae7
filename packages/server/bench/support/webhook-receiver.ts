// A receiver in its own process: it responds with 200 and records when each event arrived. `/hang` never
// responds; `/flaky` refuses every first attempt; `/arrivals` returns the record and clears it.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'

const [keyFile = '', certFile = ''] = process.argv.slice(2)
let arrivals: [id: string, attempt: number, atMs: number][] = []

const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (req, res) => {
  if (req.method === 'GET') {
    res.end(JSON.stringify(arrivals))
    arrivals = []
    return
  }
  const { 'x-webhook-id': id, 'x-webhook-attempt': attempt } = req.headers
  req.resume()
  req.once('end', () => {
    arrivals.push([String(id), Number(attempt), performance.timeOrigin + performance.now()])
    if (req.url === '/hang') return
    res.statusCode = req.url === '/flaky' && attempt === '1' ? 500 : 200
    res.end()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`listening on https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`)
})
