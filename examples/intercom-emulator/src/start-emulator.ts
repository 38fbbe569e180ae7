import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { bytesOf } from '../../zendesk-emulator/src/account.ts'
import type { Fields } from '../../zendesk-emulator/src/records.ts'
import { Faults, spoil } from '../../zoho-emulator/src/faults.ts'
import { Account, type AccountOptions } from './account.ts'

export interface EmulatorOptions extends AccountOptions {
  port?: number
  /** The most records of a page; default: as many as are asked for. */
  pageMax?: number
}

export type Emulator = Awaited<ReturnType<typeof startEmulator>>

interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Fields
}

const token = 'emulator-access-token'
const workspace = 'ab12cd34'

/** Starts Intercom as far as a reader sees it, and the other host that its files are on. */
export async function startEmulator(options: EmulatorOptions = {}) {
  const account = new Account(options)
  const log: string[] = []
  const fileRequests: IncomingHttpHeaders[] = []
  const faults = new Faults()
  const files = createServer((req, res) => {
    fileRequests.push(req.headers)
    res.end(bytesOf(req.url ?? ''))
  })
  const server = createServer((req, res) => {
    respond(req, res).catch((error: unknown) => res.destroy(error as Error))
  })
  account.fileUrl = await listen(files, 0)
  account.url = await listen(server, options.port ?? 0)

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query, search } = new URL(req.url ?? '/', account.url)
    const body = JSON.parse((await text(req)) || '{}')
    log.push(path + search)
    const action = faults.next(path)
    if (action !== undefined && (await spoil(res, action))) return
    const isSignedIn = req.headers.authorization === `Bearer ${token}`
    const reply = isSignedIn ? replyTo({ method: req.method ?? 'GET', path, query, body }) : undefined
    const status = isSignedIn ? (reply === undefined ? 404 : 200) : 401
    res.writeHead(status, { 'Content-Type': 'application/json' })
    res.end(JSON.stringify(reply ?? { type: 'error.list', errors: [{ code: 'not_found' }] }))
  }

  function replyTo({ path, query, body }: Asked): unknown {
    const [, kind = '', id, list] = path.split('/')
    if (kind === 'conversations' && id !== undefined && id !== 'search') return conversationOf(Number(id))
    if (kind === 'contacts' && list === 'notes') return { type: 'list', data: account.notes() }
    if (kind === 'contacts' && id !== undefined && id !== 'search')
      return account.contact(Number.parseInt(id, 16))
    switch (kind) {
      case 'me':
        return { type: 'admin', id: '1', app: { type: 'app', id_code: workspace, name: 'Acme' } }
      case 'admins':
        return { type: 'admin.list', admins: account.admins() }
      case 'tags':
        return { type: 'list', data: account.tags() }
      case 'macros':
        return { type: 'list', data: account.macros(), pages: { type: 'pages', next: null } }
      case 'companies':
        return {
          type: 'list',
          data: Number(query.get('page')) === 1 ? account.companies() : [],
          total_count: 1,
        }
      case 'contacts':
        return paged(account.contacts(), 'data', { query, body })
      case 'conversations': {
        const all = Array.from({ length: account.counts.conversations }, (_, index) => index + 1)
        const rows = all.map((number) => account.conversation(number, false))
        return paged(rows, 'conversations', { query, body })
      }
      default:
        return undefined
    }
  }

  function conversationOf(number: number): Fields | undefined {
    return number <= account.counts.conversations ? account.conversation(number, true) : undefined
  }

  /** A cursor is the place in the list. A search compares the time of the last change. */
  function paged(rows: readonly Fields[], name: string, { query, body }: Pick<Asked, 'query' | 'body'>) {
    const { query: search, pagination } = body as { query?: { value: number }; pagination?: Fields }
    const found = rows.filter((row) => Number(row['updated_at']) > (search?.value ?? 0))
    const after = String(pagination?.['starting_after'] ?? query.get('starting_after') ?? '')
    const from = after === '' ? 0 : Number(atob(after))
    const asked = Number(pagination?.['per_page'] ?? query.get('per_page') ?? 50)
    const size = Math.min(asked, options.pageMax ?? 150)
    const page = found.slice(from, from + size)
    const next =
      from + size < found.length ? { per_page: size, starting_after: btoa(String(from + size)) } : null
    return {
      type: 'list',
      [name]: page,
      total_count: found.length,
      pages: { type: 'pages', next, per_page: size },
    }
  }

  return {
    url: account.url,
    /** Both as `host:port`, as `CRM_CONNECTOR_HOSTS` takes them. */
    hosts: [account.url, account.fileUrl].map((url) => new URL(url).host).join(','),
    account,
    workspace,
    token,
    log,
    fileRequests,
    faults,
    close: async () => {
      for (const one of [server, files]) {
        one.closeAllConnections()
        await new Promise((resolve) => one.close(resolve))
      }
    },
  }
}

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
