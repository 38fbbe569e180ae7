import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface DnsServer {
  /** The address as a resolver takes it. */
  readonly address: string
  /** The TXT records by their names. */
  readonly records: Map<string, string[]>
  /** The MX records by their names, such as `10 mx.example.com`. */
  readonly mxRecords: Map<string, string[]>
  /** Whether the server responds at all. */
  isSilent: boolean
  stop(): Promise<void>
}

const headerLength = 12
const mxType = 15
const txtType = 16
/** A string of a TXT record holds no more (RFC 1035, 3.3). */
const stringMax = 255

/** A real name server on this machine, for TXT and MX records alone. */
export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const server: DnsServer = {
    address: '',
    records: new Map(),
    mxRecords: new Map(),
    isSilent: false,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  socket.on('message', (query, { port, address }) => {
    if (!server.isSilent) socket.send(responseTo(query, server), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return Object.assign(server, { address: `127.0.0.1:${socket.address().port}` })
}

function responseTo(query: Buffer, { records, mxRecords }: DnsServer): Buffer {
  const labels: string[] = []
  let at = headerLength
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const question = query.subarray(headerLength, at + 5)
  const type = query.readUInt16BE(at + 1)
  const values = (type === mxType ? mxRecords : records).get(labels.join('.').toLowerCase())
  const header = Buffer.alloc(headerLength)
  query.copy(header, 0, 0, 2)
  // A response of a server that recurses; 3: the name does not exist.
  header.writeUInt16BE(0x8180 | (values === undefined ? 3 : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(values?.length ?? 0, 6)
  return Buffer.concat([header, question, ...(values ?? []).map(type === mxType ? mxRecord : txtRecord)])
}

function txtRecord(value: string): Buffer {
  const strings = (value.match(new RegExp(`.{1,${stringMax}}`, 'g')) ?? ['']).map((text) =>
    Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]),
  )
  return record(txtType, Buffer.concat(strings))
}

function mxRecord(value: string): Buffer {
  const [preference = '', exchange = ''] = value.split(' ')
  const data = Buffer.alloc(2)
  data.writeUInt16BE(Number(preference), 0)
  const labels = exchange.split('.').filter(Boolean)
  const name = labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return record(mxType, Buffer.concat([data, ...name, Buffer.from([0])]))
}

function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(headerLength)
  // The name of the question.
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
