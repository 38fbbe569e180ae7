// A bare `node:http` server with the native driver of MongoDB, in a process of its own: what a read by id and a
// transaction of two inserts cost on this machine at this moment, without a product around them. Its database holds
// documents and indexes of the service's own kind; the argument is its address.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import mongoose from 'mongoose'

interface Row {
  _id: string
  tenantId: string
  id: string
}

const [url = ''] = process.argv.slice(2)
const client = new mongoose.mongo.MongoClient(url, {
  writeConcern: { w: 'majority' },
  readConcernLevel: 'majority',
  maxPoolSize: 50,
})
const db = (await client.connect()).db()
const [customers, events] = [db.collection<Row>('customers'), db.collection<Row>('events')]
const projection = { text: 0, grams: 0 } as const

/** The rows that a request inserts are these with other ids. */
const sampleCustomer = (await customers.findOne({})) as Row
const sampleEvent = (await events.findOne({})) as Row
/** The keys of the customers by their ids: a read is for one tenant, which a product knows from the credential. */
const keys = new Map<string, string>()
for await (const { _id, id } of customers.find({}, { projection: { id: 1 } })) keys.set(id, _id)

function withNewId(row: Row): Row {
  const id = randomUUID()
  return { ...row, _id: `${row.tenantId}:${id}`, id }
}

function respond(res: ServerResponse, status: number, data: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ success: true, data }))
}

async function readBody(req: IncomingMessage): Promise<object> {
  let text = ''
  for await (const part of req.setEncoding('utf8')) text += part
  return JSON.parse(text) as object
}

async function create(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = await readBody(req)
  const [customer, event] = [withNewId(sampleCustomer), withNewId(sampleEvent)]
  await client.withSession((session) =>
    session.withTransaction(
      async () => {
        await customers.insertOne(customer, { session })
        await events.insertOne(event, { session })
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } },
    ),
  )
  respond(res, 201, { ...body, _id: customer.id })
}

async function read(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const id = req.url?.slice(req.url.lastIndexOf('/') + 1) ?? ''
  respond(res, 200, await customers.findOne({ _id: keys.get(id) ?? '' }, { projection }))
}

const server = createServer((req, res) => {
  const handle = req.method === 'POST' ? create : read
  handle(req, res).catch((error: unknown) => respond(res, 500, String(error)))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`)
})
