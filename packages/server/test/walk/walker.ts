import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { permissions } from '@crmkit/core'
import { type Call, type CallResponse, call, password } from '../support/call.ts'
import { type Home, Model } from './model.ts'
import { Responses } from './responses.ts'
import type { World } from './world.ts'

/** A step names a row that no step before it has made, because the list of steps was made shorter. */
export class NothingToDo extends Error {}

export type Actor = 'key' | 'owner' | 'agent' | 'viewer'
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Asked {
  as?: Actor
  /** The token of a visitor or of a key; null: none. */
  token?: string | null
  /** A mail, instead of a body. */
  mail?: string
  form?: Readonly<Record<string, string | Blob>>
  /** Sends the request a second time, as a client does whose connection broke. */
  isRepeated?: boolean | undefined
}

/** Their responses hold a secret, which no repetition shows again. */
const secretPaths =
  /\/(api-keys|users|sessions|login|accept-invite|inbound-token|events-token|widget-secret)$/

export const markerPattern = /zq\d+x\d+z/g

/** Access tokens end after 15 minutes, which the clock of a walk passes often. */
const tokenMs = 600_000

// biome-ignore lint/suspicious/noExplicitAny: bodies of every type
export type Body = any

/** One world, its model, and the names of what is in it. */
export class Walker {
  readonly model = new Model()
  readonly responses = new Responses()
  readonly #ids = new Map<string, string>()
  readonly #names = new Map<string, string>()
  readonly #tokens = new Map<Actor, { token: string; email: string; atMs: number }>()
  readonly #secrets = new Map<string, string>()
  readonly world: World
  stepNumber = 0
  #marks = 0
  #requests = 0
  #position: string | undefined
  /** The events that the step sends: the type, and the name of its row. */
  events: string[] = []
  /** The message of each `clientMessageId`. */
  readonly once = new Map<string, string>()
  readonly sentAgain = new WeakSet<CallResponse>()
  key = ''
  inboundToken = ''
  eventsToken = ''
  widgetKey = ''
  widgetSecret = ''
  readonly address = 'help@acme.test'

  constructor(world: World) {
    this.world = world
  }

  /** A tenant with a person of each role, a key, and the doors of mail and of the widget. */
  async begin(): Promise<void> {
    const { url } = this.world
    const email = 'owner@acme.test'
    const body = { tenantName: 'Acme', email, password, firstName: 'Olive', lastName: 'Owner' }
    const owner = (await call(url, { method: 'POST', path: '/api/auth/register', body })).body.data
    this.#tokens.set('owner', { token: owner.accessToken, email, atMs: this.world.now() })
    this.name('u-owner', owner.user._id)
    for (const role of ['agent', 'viewer'] as const) await this.#invite(role)
    const made = { name: 'All', permissions }
    const key = await this.ask('POST', '/api/tenant/api-keys', made, { as: 'owner' })
    this.key = key.body.data.key
    const inbox = (await this.ask('GET', '/api/v1/inboxes', undefined, { as: 'owner' })).body.data[0]
    this.name('i0', inbox._id)
    const mail = { address: this.address, plusAddressing: true, authservIds: ['mx.acme.test'] }
    const path = `/api/v1/inboxes/${inbox._id}`
    const set = await this.ask('PUT', path, { email: mail, widget: { enabled: true } }, { as: 'owner' })
    assert.equal(set.status, 200, JSON.stringify(set.body))
    this.widgetKey = set.body.data.widget.publicKey
    const token = await this.ask('POST', `${path}/inbound-token`, {}, { as: 'owner' })
    this.inboundToken = token.body.data.inboundToken
    const secret = await this.ask('POST', `${path}/widget-secret`, {}, { as: 'owner' })
    this.widgetSecret = secret.body.data.secret
    await this.#makeMailInbox()
    const { model } = this
    model.inboxes.set('i0', { name: 'i0', fields: { name: 'Inbox', isDefault: true }, isGone: false })
    for (const [name, role] of [
      ['u-owner', 'owner'],
      ['u-agent', 'agent'],
      ['u-viewer', 'viewer'],
    ] as const) {
      const user = { name, email: `${role}@acme.test`, fields: { role, isActive: true }, isAccepted: true }
      model.users.set(name, { ...user, isGone: false })
    }
    await this.world.settle()
    await this.newEvents()
  }

  /** An inbox whose replies leave as mails. */
  async #makeMailInbox(): Promise<void> {
    const email = { address: 'mail@acme.test', transport: 'relay' }
    const body = { name: 'Mail', channel: 'email', email }
    const made = await this.ask('POST', '/api/v1/inboxes', body, { as: 'owner' })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { _id } = made.body.data
    this.name('i-mail', _id)
    const fields = { name: 'Mail', isDefault: false, isActive: true }
    this.model.inboxes.set('i-mail', { name: 'i-mail', fields, isGone: false })
    const token = await this.ask('POST', `/api/v1/inboxes/${_id}/events-token`, {}, { as: 'owner' })
    this.eventsToken = token.body.data.eventsToken
  }

  async #invite(role: 'agent' | 'viewer'): Promise<void> {
    const email = `${role}@acme.test`
    const invited = await this.ask('POST', '/api/v1/users', { email, role }, { as: 'owner' })
    this.name(`u-${role}`, invited.body.data._id)
    const body = { token: invited.body.data.inviteToken, password }
    const { url } = this.world
    const accepted = await call(url, { method: 'POST', path: '/api/auth/accept-invite', body })
    const { accessToken: token } = accepted.body.data
    this.#tokens.set(role, { token, email, atMs: this.world.now() })
  }

  /** Gives a row of the service its name. */
  name(name: string, id: string): void {
    this.#ids.set(name, id)
    this.#names.set(id, name)
  }

  id(name: string): string {
    const id = this.#ids.get(name)
    if (id === undefined) throw new NothingToDo(name)
    return id
  }

  idOrNull(name: string | null): string | null {
    return name === null ? null : this.id(name)
  }

  nameOf(id: string | null): string | null {
    return id === null ? null : (this.#names.get(id) ?? `unknown ${id}`)
  }

  isNamedId(id: string): boolean {
    return this.#names.has(id)
  }

  isNamed(name: string): boolean {
    return this.#ids.has(name)
  }

  keep(name: string, secret: string): void {
    this.#secrets.set(name, secret)
  }

  secret(name: string): string {
    const secret = this.#secrets.get(name)
    if (secret === undefined) throw new NothingToDo(name)
    return secret
  }

  /** Begins a step: its texts and keys follow from its number alone. */
  begun(stepNumber: number): void {
    this.stepNumber = stepNumber
    this.#marks = 0
    this.#requests = 0
    this.events = []
  }

  /** A text with a marker that is nowhere else, which has to be gone when its home is erased. */
  text(words: string, home: Home): string {
    const marker = `zq${this.stepNumber}x${this.#marks++}z`
    this.model.texts.set(marker, { ...home })
    return words.includes('@') ? `${marker}.${words}` : `${words} ${marker}`
  }

  /** No text of these is anywhere any more. */
  eraseText(text: string): void {
    for (const [marker] of text.matchAll(markerPattern)) {
      this.model.texts.delete(marker)
      this.model.erased.add(marker)
    }
  }

  isErasedText(text: string): boolean {
    return [...text.matchAll(markerPattern)].some(([marker]) => this.model.erased.has(marker))
  }

  /** The texts of a file belong to the message that carries it. */
  adopt(file: string, home: Home): void {
    for (const marker of this.model.texts.keys()) {
      if (marker.startsWith(`zq${file.slice(1)}x`)) this.model.texts.set(marker, home)
    }
  }

  async #tokenOf(actor: Actor): Promise<string> {
    if (actor === 'key') return this.key
    const known = this.#tokens.get(actor)
    if (known === undefined) throw new NothingToDo(actor)
    if (this.world.now() - known.atMs < tokenMs) return known.token
    const body = { email: known.email, password }
    const { response } = await this.#sent({ method: 'POST', path: '/api/auth/login', body })
    assert.equal(response.status, 200, `login of ${actor}: ${JSON.stringify(response.body)}`)
    known.token = response.body.data.accessToken
    known.atMs = this.world.now()
    return known.token
  }

  /** Sends one request, notes its response for the comparison, and refuses a response that none may be. */
  async ask(method: Method, path: string, body?: unknown, asked: Asked = {}): Promise<CallResponse> {
    const token = asked.token === undefined ? await this.#tokenOf(asked.as ?? 'key') : asked.token
    this.#requests += 1
    const isKeyed = method === 'POST' && !/\/(auth|widget|inbound)\//.test(path)
    const request = {
      method,
      path,
      ...(token !== null && { token }),
      ...(body !== undefined && { body }),
      ...(asked.form && { form: asked.form }),
      ...(asked.mail !== undefined && { rawBody: asked.mail, headers: { 'content-type': 'message/rfc822' } }),
      ...(isKeyed && { headers: { 'idempotency-key': `walk-${this.stepNumber}-${this.#requests}` } }),
    }
    const { response, isSentAgain } = await this.#sent(request)
    if (isSentAgain) this.sentAgain.add(response)
    this.#noted(method, path, response)
    if (response.status >= 400) this.forgetRefused(body, asked.mail)
    if (asked.isRepeated && isKeyed && response.status < 300) {
      const second = (await this.#sent(request)).response
      assert.deepEqual(
        [second.status, second.headers.get('idempotency-replayed'), second.body],
        [response.status, 'true', response.body],
        `the replay of ${method} ${path}`,
      )
    }
    return response
  }

  /** Sends a request until it has a response: a client whose connection breaks asks again, with the same key. */
  async #sent(request: Call): Promise<{ response: CallResponse; isSentAgain: boolean }> {
    const { world } = this
    const isOnce = request.method === 'GET' || secretPaths.test(request.path)
    if (!isOnce) world.killSoon?.()
    for (let isSentAgain = false; ; isSentAgain = true) {
      try {
        return { response: await call(world.url, request), isSentAgain }
      } catch (error) {
        if (world.restarted === undefined) throw error
        await world.restarted()
      }
    }
  }

  /** Reads without a note for the comparison: how often depends on the machine. */
  async quietly(path: string, { as }: { as: Actor } = { as: 'key' }): Promise<Body> {
    return (await this.#sent({ method: 'GET', path, token: await this.#tokenOf(as) })).response.body.data
  }

  #noted(method: string, path: string, { status, body }: CallResponse): void {
    this.responses.add(method, path, status, body)
    // From the erasure on no read shows any of it.
    const shown = typeof body === 'string' ? body : JSON.stringify(body ?? null)
    for (const [marker] of shown.matchAll(markerPattern)) {
      assert.ok(
        !this.model.erased.has(marker),
        `${method} ${path} shows ${marker}, which was erased: ${shown}`,
      )
    }
    assert.ok(status < 500, `${method} ${path} returned ${status}: ${JSON.stringify(body)}`)
    if (status >= 400) {
      const isError = body?.success === false && typeof body.code === 'string' && !('data' in body)
      assert.ok(isError, `${method} ${path}: the error ${status} has another shape: ${JSON.stringify(body)}`)
    }
  }

  /** Nothing of a request that was refused is anywhere. */
  forgetRefused(...sent: readonly unknown[]): void {
    for (const [marker] of JSON.stringify(sent).matchAll(markerPattern)) this.model.texts.delete(marker)
  }

  /** The same, with the one status that the contract allows in this state. */
  async expect(
    status: number,
    method: Method,
    path: string,
    body?: unknown,
    asked: Asked = {},
  ): Promise<Body> {
    const response = await this.ask(method, path, body, asked)
    // The second request does not find what the first one has deleted.
    const isDone = method === 'DELETE' && status === 200 && response.status === 404
    if (isDone && this.sentAgain.has(response)) return response.body
    const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`
    assert.equal(
      response.status,
      status,
      `${method} ${path}${sent} as ${asked.as ?? 'key'}: ${JSON.stringify(response.body)}`,
    )
    return response.body
  }

  /** Every row of a list, page by page. */
  async all(path: string, limit = 7, asked: Asked = {}): Promise<Body[]> {
    const rows: Body[] = []
    let cursor: string | null = null
    do {
      const query: string = `${path.includes('?') ? '&' : '?'}limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
      const { data, pagination } = await this.expect(200, 'GET', path + query, undefined, asked)
      rows.push(...data)
      assert.ok(data.length <= limit, `${path}: a page of ${data.length} rows, asked for ${limit}`)
      cursor = pagination.nextCursor
      if (!pagination.totalIsEstimate && cursor === null) {
        assert.equal(pagination.total, rows.length, `${path}: total beside the rows that were read`)
      }
    } while (cursor !== null)
    return rows
  }

  /** The events since the last call, in their order. */
  async newEvents(): Promise<Body[]> {
    const events: Body[] = []
    for (;;) {
      const after = this.#position === undefined ? 'earliest' : encodeURIComponent(this.#position)
      const path = `/api/v1/events?limit=100&after=${after}`
      const { data, pagination } = await this.expect(200, 'GET', path, undefined, { as: 'owner' })
      events.push(...data)
      this.#position = pagination.nextCursor
      if (data.length < 100) return events
    }
  }

  same(actual: unknown, expected: unknown, what: string): void {
    if (isDeepStrictEqual(actual, expected)) return
    assert.deepEqual(
      actual,
      expected,
      `${what}\nthe service: ${JSON.stringify(actual)}\nthe model:   ${JSON.stringify(expected)}`,
    )
  }
}
