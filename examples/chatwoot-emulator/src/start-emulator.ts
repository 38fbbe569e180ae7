import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesOf } from '../../zendesk-emulator/src/account.ts'
import { Faults, spoil } from '../../zoho-emulator/src/faults.ts'
import { Account, type AccountOptions, accountId } from './account.ts'

export interface EmulatorOptions extends AccountOptions {
  port?: number
}

export type Emulator = Awaited<ReturnType<typeof startEmulator>>

const token = 'emulator-access-token'
const conversationsOfPage = 25
const contactsOfPage = 15
const messagesOfPage = 20

/** Starts an installation of Chatwoot as far as a reader sees it. */
export async function startEmulator(options: EmulatorOptions = {}) {
  const account = new Account(options)
  const log: string[] = []
  const faults = new Faults()
  const server = createServer((req, res) => {
    respond(req, res).catch((error: unknown) => res.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  account.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query, search } = new URL(req.url ?? '/', account.url)
    log.push(path + search)
    const action = faults.next(path)
    if (action !== undefined && (await spoil(res, action))) return
    if (sendFile(path, res)) return
    const body = req.headers['api_access_token'] === token ? replyTo(path, query) : undefined
    if (req.headers['api_access_token'] !== token)
      res.writeHead(401, json).end('{"error":"Invalid Access Token"}')
    else if (body === undefined) res.writeHead(404, json).end('{"error":"Resource could not be found"}')
    else res.writeHead(200, json).end(JSON.stringify(body))
  }

  function replyTo(path: string, query: URLSearchParams): unknown {
    if (path === '/api/v1/profile') return { id: 1, accounts: [{ id: accountId, role: 'administrator' }] }
    const [, rest = ''] = new RegExp(`^/api/v1/accounts/${accountId}/(.*)$`).exec(path) ?? []
    const messages = /^conversations\/(\d+)\/messages$/.exec(rest)?.[1]
    if (messages !== undefined) return { meta: {}, payload: messagesOf(Number(messages), query) }
    const notes = /^contacts\/(\d+)\/notes$/.exec(rest)?.[1]
    if (notes !== undefined) return account.notesOf(Number(notes))
    if (/^contacts\/\d+\/labels$/.test(rest)) return { payload: ['vip'] }
    const page = Number(query.get('page') ?? 1)
    switch (rest) {
      case 'agents':
        return account.agents()
      case 'inboxes':
        return { payload: account.inboxes() }
      case 'labels':
        return { payload: account.labels() }
      case 'canned_responses':
        return account.replies()
      case 'custom_attribute_definitions':
        return account.definitions(Number(query.get('attribute_model')))
      case 'contacts':
        return {
          meta: { count: account.listedContacts().length },
          payload: pageOf(account.listedContacts(), page, contactsOfPage),
        }
      case 'conversations': {
        // "Filter by conversation status", of which `open` is the default.
        const isAll = query.get('status') === 'all'
        const rows = account.order
          .map((id) => account.conversation(id))
          .filter(({ status }) => isAll || status === 'open')
        return {
          data: { meta: { all_count: rows.length }, payload: pageOf(rows, page, conversationsOfPage) },
        }
      }
      case 'csat_survey_responses':
        return pageOf(account.ratings(), page, conversationsOfPage)
      default:
        return undefined
    }
  }

  /** The last messages, or the last ones before another one; the oldest of them first. */
  function messagesOf(id: number, query: URLSearchParams) {
    const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY)
    return account
      .messagesOf(id)
      .filter((message) => Number(message['id']) < before)
      .slice(-messagesOfPage)
  }

  return {
    url: account.url,
    host: new URL(account.url).host,
    account,
    accountId: String(accountId),
    token,
    log,
    faults,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A file is on the disk of the installation, to which its address leads. */
function sendFile(path: string, res: ServerResponse): boolean {
  const [, blob] = /^\/rails\/active_storage\/blobs\/redirect\/(\w+)\//.exec(path) ?? []
  if (blob !== undefined) res.writeHead(302, { Location: `/disk/${blob}` }).end()
  else if (path.startsWith('/disk/')) res.end(bytesOf(path.slice('/disk/'.length)))
  else return false
  return true
}

const json = { 'Content-Type': 'application/json' }

function pageOf<Row>(rows: readonly Row[], page: number, size: number): Row[] {
  return rows.slice((page - 1) * size, page * size)
}
