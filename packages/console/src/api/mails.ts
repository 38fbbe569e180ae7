import type { Conversation, InboundMail, MakeConversation } from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's class of the area, as `doors.ts` says.
const path = '/api/v1/inbound-mails'
const list = { method: 'GET', path } as const
const raw = { method: 'GET', path: `${path}/{id}/raw` } as const
const makeConversation = { method: 'POST', path: `${path}/{id}/make-conversation` } as const
const one = { method: 'GET', path: `${path}/{id}` } as const
const processAgain = { method: 'POST', path: `${path}/{id}/process-again` } as const
const discard = { method: 'POST', path: `${path}/{id}/discard` } as const

export interface MailPage {
  readonly mails: readonly InboundMail[]
  readonly hasMore: boolean
}

/** The newest mails that need a person. */
export async function readMails({ requester }: Crm, search: string): Promise<MailPage> {
  const query = { needsYou: true, limit: 100, ...(search && { search }) }
  const { data, hasMore } = await requester.list<InboundMail>(list, { query })
  return { mails: data, hasMore }
}

export async function readRawMail({ requester }: Crm, id: string): Promise<Blob> {
  const response = await requester.download(raw, { params: [id] })
  // A mail is never opened as a page.
  return new Blob([await response.arrayBuffer()], { type: 'message/rfc822' })
}

export async function makeConversationOfMail(
  { requester }: Crm,
  id: string,
  body: MakeConversation,
): Promise<Conversation> {
  return requester.call<Conversation>(makeConversation, { params: [id], body })
}

export async function discardMail({ requester }: Crm, id: string): Promise<void> {
  await requester.call(discard, { params: [id] })
}

/** Milliseconds between two questions, and how many are asked: the service places a mail within a second unless many wait. */
const askingMs = 500
const questionsMax = 20

/** Processes a mail again, and returns the decision about it. One that takes longer than ten seconds is still `received`. */
export async function processMailAgain({ requester }: Crm, id: string): Promise<InboundMail> {
  let mail = await requester.call<InboundMail>(processAgain, { params: [id] })
  for (let asked = 0; mail.status === 'received' && asked < questionsMax; asked++) {
    await new Promise((resolve) => setTimeout(resolve, askingMs))
    mail = await requester.call<InboundMail>(one, { params: [id] })
  }
  return mail
}
