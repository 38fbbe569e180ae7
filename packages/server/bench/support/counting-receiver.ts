// A receiver in its own process: it responds to every delivery with 200, and to a GET with their number.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'

const [keyFile = '', certFile = ''] = process.argv.slice(2)
let count = 0

const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (req, res) => {
  req.resume()
  req.once('end', () => {
    if (req.method === 'POST') count += 1
    res.end(String(count))
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`listening on https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`)
})
