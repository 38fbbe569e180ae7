import { setTimeout as delay } from 'node:timers/promises'
import { type Call, type CallResponse, call, password, registerTenant } from '../../support/call.ts'
import type { Fleet } from './fleet.ts'

export const retryEveryMs = 100
/** A request that gets one of these is wrong, and no repeat helps. */
const lasting = [400, 404, 422]

/** The owner of a tenant, who repeats each request until the service has done it. */
export class MailClient {
  readonly fleet: Fleet
  #owner = { email: '', token: '' }
  /** How often the operator has processed a mail again. */
  parked = 0
  readonly #oddities: string[]
  constructor(fleet: Fleet, oddities: string[] = []) {
    this.fleet = fleet
    this.#oddities = oddities
  }

  /** Registers the tenant, and gives its inbox these settings; returns the inbox and its token for mail. */
  async open(email: object): Promise<{ tenantId: string; inboxId: string; inboundToken: string }> {
    const { email: address, token, tenant } = await registerTenant(await this.fleet.whenUp())
    this.#owner = { email: address, token }
    const [{ _id: inboxId }] = await this.ask('GET', '/api/v1/inboxes')
    await this.ask('PUT', `/api/v1/inboxes/${inboxId}`, { email })
    const { inboundToken } = await this.ask('POST', `/api/v1/inboxes/${inboxId}/inbound-token`, {})
    return { tenantId: tenant._id, inboxId, inboundToken }
  }

  /** Repeats a request until the service has said yes, as every client must that was cut off. */
  async until(send: (url: string) => Promise<CallResponse>) {
    return (await this.#repeat(send, [])).body
  }

  async #repeat(send: (url: string) => Promise<CallResponse>, repeats: readonly number[]) {
    for (;;) {
      const url = await this.fleet.whenUp()
      const response = await send(url).catch(() => undefined)
      if (response !== undefined && response.status < 300) return response
      if (response?.status === 500) this.#oddities.push(this.#describe(response))
      if (response?.status === 401) await this.#signIn(url)
      else if (
        response !== undefined &&
        lasting.includes(response.status) &&
        !repeats.includes(response.status)
      )
        throw new Error(JSON.stringify(response.body))
      await delay(retryEveryMs)
    }
  }

  #describe({ body }: CallResponse): string {
    return `a request got ${JSON.stringify(body)}, logged: ${this.fleet.logsOf(body.requestId).join(', ')}`
  }

  /** The clock of the run is ahead by hours, so a session ends in the middle. */
  async #signIn(url: string): Promise<void> {
    const body = { email: this.#owner.email, password }
    const response = await call(url, { method: 'POST', path: '/api/auth/login', body }).catch(() => undefined)
    if (response?.status === 200) this.#owner.token = response.body.data.accessToken
  }

  async ask(method: string, at: string, body?: unknown, headers: Record<string, string> = {}) {
    const options = { method, path: at, headers, ...(body !== undefined && { body }) }
    return (await this.until((url) => call(url, { ...options, token: this.#owner.token }))).data
  }

  /** Returns the whole response; a body that is a function is made anew for each repeat. */
  send({ body, repeats = [], ...asked }: Omit<Call, 'token'> & { repeats?: readonly number[] }) {
    return this.#repeat(
      (url) =>
        call(url, { ...asked, body: typeof body === 'function' ? body() : body, token: this.#owner.token }),
      repeats,
    )
  }

  /** Returns a list with its pagination. */
  list(at: string) {
    return this.until((url) => call(url, { path: at, token: this.#owner.token }))
  }

  /** A mail whose parser was killed is read again by itself; after five kills its operator processes it again. */
  async processed(mailId: string): Promise<{ conversationId: string }> {
    for (;;) {
      const mail = await this.ask('GET', `/api/v1/inbound-mails/${mailId}`)
      if (mail.status === 'processed') return mail
      if (mail.status === 'parked') await this.processAgain(mailId)
      await delay(retryEveryMs)
    }
  }

  async processAgain(mailId: string): Promise<void> {
    const url = await this.fleet.whenUp()
    const again = `/api/v1/inbound-mails/${mailId}/process-again`
    // A repeat after a crash finds the mail in work: 409.
    const options = { method: 'POST', path: again, token: this.#owner.token }
    const response = await call(url, options).catch(() => undefined)
    if (response?.status === 200) this.parked += 1
  }
}
