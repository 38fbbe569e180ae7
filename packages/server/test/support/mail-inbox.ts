import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { call, registerTenant } from './call.ts'
import type { RunningService } from './start-service.ts'

export interface MailFields {
  from?: string
  to?: string
  text?: string
  id?: string
  /** They replace usual ones of the same name. */
  headers?: readonly string[]
}

const nameOf = (header: string) => header.split(':', 1)[0]?.toLowerCase()

/** A tenant with an inbox that receives mail over HTTP, and sends it as its settings say. */
export type MailInbox = Awaited<ReturnType<typeof makeMailInbox>>

export async function makeMailInbox({ url, service }: RunningService, email: object = {}) {
  const owner = await registerTenant(url)
  const ask = (method: string, path: string, body?: unknown) =>
    call(url, { method, path, token: owner.token, ...(body !== undefined && { body }) })
  const inboxId: string = (await ask('GET', '/api/v1/inboxes')).body.data[0]._id
  // Short: a signed address adds 44 characters to the local part.
  const address = `h${randomUUID().slice(0, 8)}@acme.test`
  const settings = {
    address,
    plusAddressing: true,
    authservIds: ['mx.acme.test'],
    transport: 'relay',
    ...email,
  }
  const set = await ask('PUT', `/api/v1/inboxes/${inboxId}`, { email: settings })
  expect(set.status, JSON.stringify(set.body)).toBe(200)
  const { body } = await ask('POST', `/api/v1/inboxes/${inboxId}/inbound-token`, {})
  const token: string = body.data.inboundToken

  /** Posts a mail and returns the decision about it. */
  async function deliver(raw: string, query = ''): Promise<Record<string, string>> {
    const response = await fetch(`${url}/api/v1/inbound/email/${token}${query}`, {
      method: 'POST',
      headers: { 'Content-Type': 'message/rfc822' },
      body: raw,
    })
    expect(response.status).toBe(200)
    const { data } = (await response.json()) as { data: { _id: string } }
    const read = async () => (await ask('GET', `/api/v1/inbound-mails/${data._id}`)).body.data
    // Many mails that arrive together are read one after the other.
    await expect.poll(async () => (await read()).status).not.toBe('received')
    return read()
  }

  function mailOf({
    from = 'Ada <ada@example.com>',
    to = address,
    text = 'Hi',
    id,
    headers = [],
  }: MailFields) {
    const lines = [
      `From: ${from}`,
      `To: ${to}`,
      'Subject: Broken lamp',
      `Message-ID: <${id ?? `${randomUUID()}@example.com`}>`,
      `Date: ${new Date().toUTCString()}`,
    ]
    const given = new Set(headers.map(nameOf))
    return [...lines.filter((line) => !given.has(nameOf(line))), ...headers, '', text].join('\r\n')
  }

  const dataOf = async (path: string) => (await ask('GET', path)).body.data
  return {
    owner,
    inboxId,
    address,
    token,
    settings,
    ask,
    deliver,
    mailOf,
    store: service.storage.forTenant(owner.tenant._id),
    receive: (fields: MailFields = {}, query = '') => deliver(mailOf(fields), query),
    conversationOf: (id = '') => dataOf(`/api/v1/conversations/${id}`),
    messagesOf: (id = '') => dataOf(`/api/v1/conversations/${id}/messages`),
    messageOf: (id: string) => dataOf(`/api/v1/messages/${id}`),
    reply: async (conversationId = '', body: object = {}) => {
      const path = `/api/v1/conversations/${conversationId}/messages`
      return ask('POST', path, { content: 'It is repaired.', ...body })
    },
  }
}
