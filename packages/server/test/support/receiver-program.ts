// A receiver in a process of its own, for effects that only show between two processes: it responds to every POST at
// once, and to a GET with the number of its connections so far.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

const [keyFile = '', certFile = ''] = process.argv.slice(2)
let connections = 0
const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (req, res) => {
  req.resume()
  req.once('end', () => res.end(req.method === 'GET' ? String(connections) : ''))
})
server.on('secureConnection', () => {
  connections += 1
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
