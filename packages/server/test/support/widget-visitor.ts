import { createHmac, randomUUID } from 'node:crypto'
import { type Call, call } from './call.ts'

/** The chat widget of a tenant's default inbox, as its team sets it up. */
export interface Widget {
  key: string
  inboxId: string
  set(widget: object): Promise<void>
}

export async function switchWidgetOn(url: string, token: string, settings: object = {}): Promise<Widget> {
  const inboxes = await call(url, { path: '/api/v1/inboxes', token })
  const inboxId: string = inboxes.body.data[0]._id
  const put = async (widget: object) => {
    const body = { widget: { enabled: true, ...settings, ...widget } }
    const response = await call(url, { method: 'PUT', path: `/api/v1/inboxes/${inboxId}`, token, body })
    if (response.status !== 200) throw new Error(JSON.stringify(response.body))
    return response.body.data.widget.publicKey as string
  }
  return { key: await put({}), inboxId, set: async (widget) => void (await put(widget)) }
}

/** A JWT as any library of the tenant makes it. */
export function signUser(
  secret: string,
  claims: Readonly<Record<string, unknown>>,
  header: object = { alg: 'HS256', typ: 'JWT' },
): string {
  const now = Math.floor(Date.now() / 1000)
  const all = { iat: now, exp: now + 300, ...claims }
  const text = [header, all].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

/** A visitor's browser: requests with the token of its session. */
export class WidgetVisitor {
  readonly #url: string
  token: string | undefined

  constructor(url: string, token?: string) {
    this.#url = url
    this.token = token
  }

  send(method: string, path: string, body?: unknown, more: Partial<Call> = {}) {
    const asked = { method, path, token: this.token, ...more }
    return call(this.#url, body === undefined ? asked : { ...asked, body })
  }

  /** Begins a session with the token of the one before, as the frame does; returns the response. */
  async begin(key: string, body: object = {}) {
    const response = await this.send('POST', '/api/v1/widget/sessions', { key, ...body })
    if (response.status === 201) this.token = response.body.data.sessionToken
    return response
  }

  async ask(message: string, clientMessageId: string = randomUUID()) {
    const response = await this.send('POST', '/api/v1/widget/conversations', { message, clientMessageId })
    if (response.status > 201) throw new Error(JSON.stringify(response.body))
    return response.body.data
  }
}
