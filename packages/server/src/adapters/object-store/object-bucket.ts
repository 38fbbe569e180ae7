import { AwsClient } from 'aws4fetch'
import { createXmlParser } from '../../shared/xml-parser.ts'
import { StorageUnavailable } from '../../storage/errors.ts'

/** A place in an object store that speaks the protocol of Amazon S3, and the key that opens it. */
export interface ObjectPlace {
  /** `s3://BUCKET/FOLDER`, with the query fields `endpoint` and `region` where they are not Amazon's own. */
  address: string
  /** `ACCESS_KEY_ID:SECRET_ACCESS_KEY` */
  key: string
}

export interface StoredObject {
  name: string
  bytes: number
}

/** Objects of one folder of a bucket. A store that is away or refuses throws `StorageUnavailable`. */
export interface ObjectBucket {
  /** The objects whose names come after one, in the order of the names. */
  list(after: string): Promise<StoredObject[]>
  read(name: string): Promise<Buffer>
  /** Returns false where an object of this name exists already. */
  create(name: string, body: string): Promise<boolean>
  overwrite(name: string, body: string): Promise<void>
}

const requestTimeoutMs = 10_000
/** After an error of the store, with waits that grow from 50 ms. */
const retries = 4
const regionDefault = 'us-east-1'

/** The protocol: "Amazon S3 API Reference", PutObject (with `If-None-Match`), GetObject and ListObjectsV2. */
export function openObjectBucket({ address, key }: ObjectPlace): ObjectBucket {
  const { host: bucket, pathname, searchParams } = new URL(address)
  const folder = pathname.replace(/^\/|\/$/g, '')
  const region = searchParams.get('region') ?? regionDefault
  // A bucket whose name has a dot fits no certificate of Amazon's, and other stores know the form with a path.
  const endpoint = searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`
  const separator = key.indexOf(':')
  const client = new AwsClient({
    accessKeyId: key.slice(0, separator),
    secretAccessKey: key.slice(separator + 1),
    service: 's3',
    region,
    retries,
  })
  const prefix = folder === '' ? '' : `${folder}/`
  const addressOf = (path: string) => `${endpoint.replace(/\/$/, '')}/${bucket}/${path}`

  async function ask(url: string, init: RequestInit = {}): Promise<Response> {
    try {
      const signal = AbortSignal.timeout(requestTimeoutMs)
      return await client.fetch(url, { redirect: 'error', signal, ...init })
    } catch (error) {
      throw new StorageUnavailable(`The object store ${endpoint} cannot be reached`, { cause: error })
    }
  }
  async function must(url: string, init?: RequestInit): Promise<Buffer> {
    const response = await ask(url, init)
    if (!response.ok) throw await refusal(response)
    return Buffer.from(await response.arrayBuffer())
  }
  async function refusal(response: Response): Promise<StorageUnavailable> {
    const text = await response.text()
    const [, code = 'no code'] = /<Code>(\w{1,64})<\/Code>/.exec(text) ?? []
    return new StorageUnavailable(
      `The object store ${endpoint} refused ${bucket}/${prefix}: ${response.status} ${code}`,
    )
  }
  return {
    async list(after) {
      const found: StoredObject[] = []
      for (let startAfter = prefix + after; ; ) {
        const query = new URLSearchParams({ 'list-type': '2', prefix, 'start-after': startAfter })
        const page = readPage(await must(`${addressOf('')}?${query}`))
        found.push(...page.objects.map(({ name, bytes }) => ({ name: name.slice(prefix.length), bytes })))
        const last = page.objects.at(-1)
        if (!page.isCut || last === undefined) return found
        startAfter = last.name
      }
    },
    read: (name) => must(addressOf(prefix + name)),
    async create(name, body) {
      const init = { method: 'PUT', body, headers: { 'if-none-match': '*' } }
      const response = await ask(addressOf(prefix + name), init)
      // 409: another request writes the same name at this moment.
      if (response.status === 412 || response.status === 409) return false
      if (!response.ok) throw await refusal(response)
      return true
    },
    async overwrite(name, body) {
      await must(addressOf(prefix + name), { method: 'PUT', body })
    },
  }
}

interface Page {
  objects: StoredObject[]
  isCut: boolean
}

/** Reads the body of a reply to ListObjectsV2. */
function readPage(body: Buffer): Page {
  const page: Page = { objects: [], isCut: false }
  let text = ''
  let object: StoredObject = { name: '', bytes: 0 }
  const parser = createXmlParser({
    open(name) {
      text = ''
      if (name === 'Contents') object = { name: '', bytes: 0 }
    },
    text: (found) => {
      text += found
    },
    close(name) {
      if (name === 'Key') object.name = text
      if (name === 'Size') object.bytes = Number(text)
      if (name === 'IsTruncated') page.isCut = text === 'true'
      if (name === 'Contents') page.objects.push(object)
    },
  })
  parser.write(body.toString())
  parser.end()
  return page
}
