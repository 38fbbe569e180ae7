import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A test's own object store, of one bucket. */
export interface ObjectStore {
  /** For `CRM_ERASURE_LEDGER`. */
  readonly address: string
  readonly key: string
  /** The content of the objects, by their paths in the bucket. */
  readonly objects: Map<string, string>
  /** The next requests get this error. */
  refuse(times: number, status: number, code: string): void
  close(): Promise<void>
}

const bucket = 'erasures'
const region = 'eu-test-1'
const [keyId, secret] = ['AKIDOFTESTS', 'a secret/of+tests']

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encoded = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** "Authenticating Requests (AWS Signature Version 4)" of the Amazon S3 API Reference. */
function isSigned({ method, headers }: IncomingMessage, url: URL, body: Buffer): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/
  const [, id, day = '', place = '', names = '', signature] = pattern.exec(headers.authorization ?? '') ?? []
  const bodyHash = String(headers['x-amz-content-sha256'])
  const isBodyRight = bodyHash === 'UNSIGNED-PAYLOAD' || bodyHash === sha256(body)
  if (id !== keyId || place !== region || !isBodyRight) return false
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const signedHeaders = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const request = [method, url.pathname, query.join('&'), signedHeaders.join(''), names, bodyHash].join('\n')
  const scope = `${day}/${place}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n')
  const key = [day, place, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return hmac(key, text).toString('hex') === signature
}

/** Lists `pageMax` objects at once, as a store lists a thousand. Amazon's names of errors, fields and elements. */
export async function startObjectStore({ pageMax = 1000 } = {}): Promise<ObjectStore> {
  const objects = new Map<string, string>()
  let refused = { times: 0, status: 0, code: '' }
  const fail = (response: ServerResponse, status: number, code: string) =>
    response.writeHead(status).end(`<Error><Code>${code}</Code><Message>no</Message></Error>`)
  function list(response: ServerResponse, query: URLSearchParams) {
    const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? '']
    const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort()
    const contents = names.slice(0, pageMax).map((name) => {
      const size = Buffer.byteLength(objects.get(name) ?? '')
      return `<Contents><Key>${name}</Key><Size>${size}</Size></Contents>`
    })
    response.end(
      `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${names.length > pageMax}</IsTruncated>${contents.join('')}</ListBucketResult>`,
    )
  }
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const url = new URL(request.url ?? '', 'http://localhost')
    const [, inBucket, ...rest] = url.pathname.split('/')
    const name = decodeURIComponent(rest.join('/'))
    if (refused.times > 0) {
      refused.times -= 1
      return fail(response, refused.status, refused.code)
    }
    if (!isSigned(request, url, body)) return fail(response, 403, 'SignatureDoesNotMatch')
    if (inBucket !== bucket) return fail(response, 404, 'NoSuchBucket')
    if (request.method === 'PUT') {
      if (request.headers['if-none-match'] === '*' && objects.has(name))
        return fail(response, 412, 'PreconditionFailed')
      objects.set(name, body.toString())
      return response.end()
    }
    if (name === '') return list(response, url.searchParams)
    const content = objects.get(name)
    return content === undefined ? fail(response, 404, 'NoSuchKey') : response.end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`)
  return {
    address: `s3://${bucket}/of/tests?region=${region}&endpoint=${endpoint}`,
    key: `${keyId}:${secret}`,
    objects,
    refuse(times, status, code) {
      refused = { times, status, code }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
