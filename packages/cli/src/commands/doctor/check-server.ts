import { createCrm } from '../../profile/open-client.ts'
import { isLoopback } from '../session/ask-base-url.ts'
import { type Check, failed, messageOf, ok, warning } from './check.ts'

/** A receiver refuses webhooks beyond this difference; a much smaller one is already suspicious. */
const skewMaxSeconds = 300
const skewWarnSeconds = 30

interface ServerChecks {
  readonly isReachable: boolean
  readonly checks: readonly Check[]
}

/** Checks that the server responds, its version and its clock. */
export async function checkServer(baseUrl: string, ownVersion: string): Promise<ServerChecks> {
  const crm = await createCrm({ baseUrl })
  const sentAt = Date.now()
  try {
    const { data, response } = await crm.health.get().withResponse()
    const tookMs = Date.now() - sentAt
    return {
      isReachable: true,
      checks: [
        ok('server', `${baseUrl} responds in ${tookMs} ms; up for ${data.uptimeSeconds} s`),
        checkEncryption(baseUrl),
        checkVersion(data.version, ownVersion),
        checkClock(response.headers.get('date'), (sentAt + Date.now()) / 2),
      ],
    }
  } catch (error) {
    const { ApiError } = await import('@crmkit/sdk')
    if (!(error instanceof ApiError))
      return { isReachable: false, checks: [failed('server', messageOf(error))] }
    const isAlive = await crm.health.getLiveness().then(
      () => true,
      () => false,
    )
    const sentence = isAlive ? `${messageOf(error)} (the process itself responds)` : messageOf(error)
    return { isReachable: true, checks: [failed('server', sentence)] }
  }
}

function checkEncryption(baseUrl: string): Check {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'https:') return ok('encryption', 'https')
  if (isLoopback(hostname)) return ok('encryption', 'none, and a server on this machine needs none')
  return warning('encryption', 'http: credentials and all other data are sent unencrypted')
}

function checkVersion(server: string, own: string): Check {
  const [serverMajor, serverMinor] = server.split('.')
  const [ownMajor, ownMinor] = own.split('.')
  const isSame = serverMajor === ownMajor && (serverMajor !== '0' || serverMinor === ownMinor)
  const detail = `server ${server}, crm ${own}`
  return isSame ? ok('version', detail) : warning('version', `${detail}: they may be incompatible`)
}

/** Ignores a difference of one second, because the header has whole seconds. */
function checkClock(date: string | null, atMs: number): Check {
  const serverMs = Date.parse(date ?? '')
  if (Number.isNaN(serverMs)) return warning('clock', 'the server does not send its time')
  const seconds = Math.round((serverMs + 500 - atMs) / 1000)
  const detail = `this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'behind' : 'ahead of'} the server`
  if (Math.abs(seconds) > skewMaxSeconds) return failed('clock', `${detail}: webhooks do not verify here`)
  if (Math.abs(seconds) > skewWarnSeconds) return warning('clock', detail)
  return ok('clock', Math.abs(seconds) <= 1 ? 'same as the server' : detail)
}
