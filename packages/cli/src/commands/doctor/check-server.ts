import { createCrm } from '../../profile/open-client.ts'
import { isLoopback } from '../session/ask-base-url.ts'
import { type Check, failed, messageOf, ok, warning } from './check.ts'

/** Beyond this verified webhooks are refused; well below it something is wrong already. */
const skewMaxSeconds = 300
const skewWarnSeconds = 30

interface ServerChecks {
  readonly isReachable: boolean
  readonly checks: readonly Check[]
}

/** Whether a server answers, which one, and what time it has. */
export async function checkServer(baseUrl: string, ownVersion: string): Promise<ServerChecks> {
  const crm = await createCrm({ baseUrl })
  const sentAt = Date.now()
  try {
    const { data, response } = await crm.health.get().withResponse()
    const tookMs = Date.now() - sentAt
    return {
      isReachable: true,
      checks: [
        ok('server', `${baseUrl} answers in ${tookMs} ms; up for ${data.uptimeSeconds} s`),
        checkEncryption(baseUrl),
        checkVersion(data.version, ownVersion),
        checkClock(response.headers.get('date'), (sentAt + Date.now()) / 2),
      ],
    }
  } catch (error) {
    const { ApiError } = await import('@crmkit/sdk')
    return { isReachable: error instanceof ApiError, checks: [failed('server', messageOf(error))] }
  }
}

function checkEncryption(baseUrl: string): Check {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'https:') return ok('encryption', 'https')
  if (isLoopback(hostname)) return ok('encryption', 'none, and none is needed on this machine')
  return warning('encryption', 'http: credentials and all else can be read on the way')
}

function checkVersion(server: string, own: string): Check {
  const [serverMajor, serverMinor] = server.split('.')
  const [ownMajor, ownMinor] = own.split('.')
  const isSame = serverMajor === ownMajor && (serverMajor !== '0' || serverMinor === ownMinor)
  const detail = `server ${server}, crm ${own}`
  return isSame ? ok('version', detail) : warning('version', `${detail}: they may not know all of each other`)
}

/** The header has whole seconds, so one second of difference is none. */
function checkClock(date: string | null, atMs: number): Check {
  const serverMs = Date.parse(date ?? '')
  if (Number.isNaN(serverMs)) return warning('clock', 'the server does not tell its time')
  const seconds = Math.round((serverMs + 500 - atMs) / 1000)
  const detail = `this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'behind' : 'ahead of'} the server`
  if (Math.abs(seconds) > skewMaxSeconds) return failed('clock', `${detail}: webhooks do not verify here`)
  if (Math.abs(seconds) > skewWarnSeconds) return warning('clock', detail)
  return ok('clock', Math.abs(seconds) <= 1 ? 'as the server’s' : detail)
}
