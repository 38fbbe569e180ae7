import { setTimeout as delay } from 'node:timers/promises'
import type { Operation } from './operation.ts'
import { requestsOf } from './requests.ts'
import type { Service } from './service.ts'

const pollMs = 50
const mailsPath = '/api/v1/inbound-mails'

interface MailInbox {
  address: string
  /** Posts a mail to the inbox. */
  inboundPath: string
}

async function openInbox(service: Service, local: string): Promise<MailInbox> {
  const address = `${local}@acme.test`
  const { _id } = await service.ask('POST', '/api/v1/inboxes', {
    name: local,
    email: { address, transport: 'relay' },
  })
  const { inboundToken } = await service.ask('POST', `/api/v1/inboxes/${_id}/inbound-token`, {})
  return { address, inboundPath: `/api/v1/inbound/email/${inboundToken}` }
}

const mailOf = (address: string, index: number) =>
  [
    `From: Person ${index} <person${index}@example.com>`,
    `To: ${address}`,
    `Subject: Lamp ${index}`,
    `Message-ID: <lamp-${index}@example.com>`,
    `Date: ${new Date().toUTCString()}`,
    '',
    `The lamp number ${index} is broken.`,
  ].join('\r\n')

function arriving(service: Service, { address, inboundPath }: MailInbox) {
  const post = requestsOf(service, {
    method: 'POST',
    path: inboundPath,
    rawBody: (index) => mailOf(address, index),
    contentType: 'message/rfc822',
  })
  return async (units: number) => {
    await post(units)
    const waiting = { path: `${mailsPath}?status=received&limit=1` }
    while ((await service.send(waiting)).body.data.length > 0) await delay(pollMs)
  }
}

const inboundMail: Operation = {
  name: 'read an inbound mail',
  form: 'unlimited',
  async prepare(service) {
    return arriving(service, await openInbox(service, 'arrivals'))
  },
}

/** A reply each in one of ten conversations that began with a mail; the service has no relay, and keeps the mails. */
const mailReply: Operation = {
  name: 'create a message that leaves as mail',
  form: 'unlimited',
  async prepare(service) {
    await service.liftLimit('relayRecipientsPerDay')
    await arriving(service, await openInbox(service, 'replies'))(10)
    const mails = await service.ask('GET', `${mailsPath}?status=processed&limit=10`)
    const ids = mails.map(({ conversationId }: { conversationId: string }) => conversationId)
    return requestsOf(service, {
      method: 'POST',
      path: (index) => `/api/v1/conversations/${ids[index % ids.length]}/messages`,
      body: (index) => ({ content: `The lamp number ${index} is repaired.` }),
    })
  },
}

export const mailOperations: readonly Operation[] = [inboundMail, mailReply]
