import { type KeyObject, sign } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { domainToASCII } from 'node:url'
import { promisify } from 'node:util'
import type DkimParser from 'nodemailer/lib/dkim/message-parser'
import type DkimBody from 'nodemailer/lib/dkim/relaxed-body'
import type DkimSign from 'nodemailer/lib/dkim/sign'
import type * as MimeFuncs from 'nodemailer/lib/mime-funcs'
import { atFirstUse } from '../../shared/at-first-use.ts'

const dkimParser = atFirstUse<typeof DkimParser>('nodemailer/lib/dkim/message-parser')
const dkimBody = atFirstUse<typeof DkimBody>('nodemailer/lib/dkim/relaxed-body')
const dkimSign = atFirstUse<typeof DkimSign>('nodemailer/lib/dkim/sign')
const mimeFuncs = atFirstUse<typeof MimeFuncs>('nodemailer/lib/mime-funcs')

/** The library signs in the main thread, which serves nobody meanwhile. With a callback a thread of the pool does it. */
const signInPool = promisify(sign)

/** RFC 6376, section 5.4.1, and RFC 8058: the fields that a receiver shows or acts on. */
const signedFields = [
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding:Content-ID',
  'Content-Description:Resent-Date:Resent-From:Resent-Sender:Resent-To:Resent-Cc:Resent-Message-ID:In-Reply-To:References',
  'List-Id:List-Help:List-Unsubscribe:List-Unsubscribe-Post:List-Subscribe:List-Post:List-Owner:List-Archive:OTP-Token',
].join(':')

export interface DkimKey {
  domain: string
  selector: string
  privateKey: KeyObject
}

type HeaderLines = ReturnType<DkimParser['parseHeaders']>

/** Returns the mail behind a signature (RFC 6376, relaxed), byte for byte as the library would sign it. */
export function signWithDkim(mail: Readable, key: DkimKey): Readable {
  const parser = new (dkimParser())()
  const body = new (dkimBody())()
  const chunks: Buffer[] = []
  let headers: HeaderLines = []
  let bodyHash = ''
  parser.on('headers', (lines: HeaderLines) => {
    headers = lines
  })
  body.on('hash', (hash: string) => {
    bodyHash = hash
  })
  const signed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
    flush(done) {
      signatureOf(headers, bodyHash, key).then((field) => {
        for (const part of [Buffer.from(field), parser.rawHeaders || Buffer.alloc(0), ...chunks])
          this.push(part)
        done()
      }, done)
    },
  })
  // An error reaches the reader by the stream itself.
  return pipeline(mail, parser, body, signed, () => undefined)
}

async function signatureOf(
  headers: HeaderLines,
  bodyHash: string,
  { domain, selector, privateKey }: DkimKey,
): Promise<string> {
  const canonical = dkimSign().relaxedHeaders(headers, signedFields)
  const tags = [
    'v=1',
    'a=rsa-sha256',
    'c=relaxed/relaxed',
    `d=${domainToASCII(domain)}`,
    'q=dns/txt',
    `s=${selector}`,
    `bh=${bodyHash}`,
    `h=${canonical.fieldNames}`,
  ]
  const field = `${mimeFuncs().foldLines(`DKIM-Signature: ${tags.join('; ')}`, 76)};\r\n b=`
  const own = field.slice(field.indexOf(':') + 1).replaceAll('\r\n', '')
  const text = `${canonical.headers}dkim-signature:${own.replaceAll(/[ \t]+/g, ' ').trim()}`
  const signature = await signInPool('sha256', Buffer.from(text, 'latin1'), privateKey)
  return `${field}${foldedSignature(signature.toString('base64'))}\r\n`
}

/** Lines of at most 76 characters. */
function foldedSignature(text: string): string {
  const [first, rest] = [text.slice(0, 73), text.slice(73)]
  return [first, ...(rest.match(/.{1,75}/g) ?? [])].join('\r\n ')
}
