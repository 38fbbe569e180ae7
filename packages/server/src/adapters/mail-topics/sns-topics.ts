import { type KeyObject, X509Certificate } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import { SourceFailure } from '../../ports/connector.ts'
import type { ConnectorHttp } from '../../ports/connector-http.ts'
import type { MailTopics } from '../../ports/mail-topics.ts'

interface TopicParts {
  http: ConnectorHttp
  clock: Clock
  /** `host:port` of an emulator, compared exactly; undefined: none. */
  emulator: string | undefined
}

/** A server of Amazon SNS in any region. Nobody else can have a name below these domains. */
const snsHost = /^sns\.[a-z0-9-]{1,40}\.amazonaws\.(?:com|com\.cn|eu)$/
const keptMs = 24 * 3_600_000
/** More than the regions of Amazon have certificates. */
const keptMax = 100
const timeoutMs = 10_000

interface KeptKey {
  key: KeyObject
  endsAtMs: number
}

/** Requests go to a checked name alone, over https, and never to an address that a body names as it is. */
export function createSnsTopics({ http, clock, emulator }: TopicParts): MailTopics {
  const kept = new Map<string, KeptKey>()
  const serverOf = (text: string): URL | undefined => {
    const url = URL.parse(text)
    if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
    return url.host === emulator || (url.port === '' && snsHost.test(url.hostname)) ? url : undefined
  }
  const get = async (url: string) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const headers = { Accept: '*/*' }
    const response = await http.send({ tenantId: '', method: 'GET', url, headers, signal, asText: true })
    if (response.status < 200 || response.status > 299)
      throw new SourceFailure('transient', `The service of topics responded with ${response.status}`)
    return String(response.json ?? '')
  }

  return {
    keyAt: async (certificateUrl) => {
      const url = serverOf(certificateUrl)
      if (url === undefined || !url.pathname.endsWith('.pem') || url.search !== '') return undefined
      const known = kept.get(url.href)
      if (known !== undefined && known.endsAtMs > clock.nowMs()) return known.key
      const found = keyOf(await get(url.href), clock.nowMs())
      if (found === undefined) return undefined
      if (kept.size >= keptMax) kept.clear()
      kept.set(url.href, { key: found.key, endsAtMs: Math.min(found.endsAtMs, clock.nowMs() + keptMs) })
      return found.key
    },
    confirm: async ({ certificateUrl, topicArn, token }) => {
      const server = serverOf(certificateUrl)
      if (server === undefined) return
      const query = new URLSearchParams({
        Action: 'ConfirmSubscription',
        TopicArn: topicArn,
        Token: token,
        Version: '2010-03-31',
      })
      await get(`${server.origin}/?${query}`)
    },
  }
}

/** Returns the key of a certificate that is valid now. */
function keyOf(pem: string, nowMs: number): KeptKey | undefined {
  try {
    const { publicKey, validFromDate, validToDate } = new X509Certificate(pem)
    const endsAtMs = validToDate.getTime()
    const isValid = validFromDate.getTime() <= nowMs && nowMs < endsAtMs
    return isValid && publicKey.asymmetricKeyType === 'rsa' ? { key: publicKey, endsAtMs } : undefined
  } catch {
    return undefined
  }
}
