// Amazon SES stores a received mail in S3 and calls a function, which posts the stored mail to the inbox. This program calls
// that function with a file of this machine in the place of S3: npm run example mail-forwarder [FILE]
import { readFile } from 'node:fs/promises'

/** The parts of an event of SES that the function reads. */
interface SesEvent {
  Records: { ses: { mail: { messageId: string; source: string }; receipt: { recipients: string[] } } }[]
}

type ReadObject = (key: string) => Promise<Uint8Array<ArrayBuffer>>

/** Returns the function for AWS Lambda. `readObject` reads an object of the bucket. */
export function createForwarder(inboundUrl: string, readObject: ReadObject) {
  return async ({ Records }: SesEvent): Promise<void> => {
    for (const { ses } of Records) {
      const url = new URL(inboundUrl)
      url.searchParams.set('from', ses.mail.source)
      for (const to of ses.receipt.recipients) url.searchParams.append('to', to)
      const body = await readObject(ses.mail.messageId)
      const headers = { 'content-type': 'message/rfc822' }
      const response = await fetch(url, { method: 'POST', headers, body })
      // Lambda repeats an asynchronous call that throws, and the service stores a repeated mail once.
      if (!response.ok) throw new Error(`The service responded with ${response.status}`)
      console.log(`${ses.mail.messageId} is stored`)
    }
  }
}

const file = process.argv[2] ?? new URL('./mail.eml', import.meta.url)
const forward = createForwarder(process.env['CRM_INBOUND_URL'] ?? '', async () => {
  return new Uint8Array(await readFile(file))
})
const mail = { messageId: 'local-mail', source: 'ada@example.com' }
await forward({ Records: [{ ses: { mail, receipt: { recipients: ['support@example.com'] } } }] })
