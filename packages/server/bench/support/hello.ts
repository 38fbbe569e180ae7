// A bare Express app in a process of its own: the speed of the framework on this machine at this moment.
import express from 'express'

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.get('/hello', (_req, res) => {
  res.json({ success: true, data: { hello: 'world' } })
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`)
})
