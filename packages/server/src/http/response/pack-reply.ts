import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { replyPace } from '../backpressure/reply-pace.ts'
import type { SentReply } from './send-reply.ts'

/** Further replies leave as they are: the threads of zlib also read files and check passwords. */
const atOnceMax = 64
/** The texts of all of them, which no other bound counts meanwhile. */
const atOnceLengthMax = 16 * 1024 * 1024

/** Fast settings: a list of 40 kB is a fifth of its length then, within a millisecond. */
const encodings = {
  br: (text: string) => packBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text: string) => packGzip(text, { level: 4 }),
} satisfies Record<string, (text: string) => Promise<Buffer>>
type Encoding = keyof typeof encodings

const packBrotli = promisify(brotliCompress)
const packGzip = promisify(gzip)

let atOnce = 0
let atOnceLength = 0

interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/**
 * Returns the reply as its client takes it: a long text compressed, outside of the event loop. The host app may have chosen an
 * encoding of its own.
 */
export function packReply({ req, res }: Exchange, reply: SentReply): SentReply | Promise<SentReply> {
  const { body } = reply
  if (typeof body !== 'string' || res.hasHeader('Content-Encoding')) return reply
  const varied = withHeaders(reply, { Vary: varyOf(res) })
  const encoding = acceptedEncoding(req.headers['accept-encoding'])
  const isTooMuch = atOnce >= atOnceMax || atOnceLength + body.length > atOnceLengthMax
  if (encoding === undefined || isTooMuch || req.method === 'HEAD') return varied
  return pack(varied, body, encoding)
}

async function pack(reply: SentReply, text: string, encoding: Encoding): Promise<SentReply> {
  // The text stays in memory until then, as that of a reply that is written.
  replyPace.noteWritten(text.length)
  atOnce += 1
  atOnceLength += text.length
  try {
    const body = await encodings[encoding](text)
    return { ...withHeaders(reply, { 'Content-Encoding': encoding }), body }
  } finally {
    atOnce -= 1
    atOnceLength -= text.length
  }
}

function withHeaders(reply: SentReply, headers: Record<string, string>): SentReply {
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

/** A cache must not give a compressed reply to a client that cannot read it. */
function varyOf(res: ServerResponse): string {
  const others = [res.getHeader('Vary') ?? []].flat().map(String)
  return [...others, 'Accept-Encoding'].join(', ')
}

/** Returns the encoding that makes less, of those that the header allows; undefined for none. */
function acceptedEncoding(header: string | string[] | undefined): Encoding | undefined {
  if (header === undefined) return undefined
  const allowed = new Set<string | undefined>()
  for (const part of String(header).toLowerCase().split(',')) {
    const [name, weight] = part.split(';').map((one) => one.trim())
    // `q=0` refuses one by its name.
    if (!/^q=0(\.0*)?$/.test(weight ?? '')) allowed.add(name)
  }
  return (['br', 'gzip'] as const).find((name) => allowed.has(name))
}
