import type { HttpSender, SenderResult } from '../../ports/http-sender.ts'
import { describeFailure } from './describe-failure.ts'
import type { DestinationGuard } from './destination-guard.ts'
import { Exchange } from './exchange.ts'
import { GuardedHttpAgent, GuardedHttpsAgent } from './guarded-agents.ts'
import { createHostResolver, type ResolveHost } from './resolve-host.ts'
import { createTrustedCa } from './trusted-ca.ts'

interface HttpsSenderOptions {
  guard: DestinationGuard
  /** PEM files; trusted only for destinations that the guard allows by `allowCidrs`. Read again when they change. */
  caFiles?: readonly string[]
  resolveHost?: ResolveHost
}

export function createHttpsSender({ guard, caFiles = [], resolveHost }: HttpsSenderOptions): HttpSender {
  const dialling = {
    guard,
    resolveHost: resolveHost ?? createHostResolver(),
    trustedCa: createTrustedCa(caFiles),
  }
  const agents = { http: new GuardedHttpAgent(dialling), https: new GuardedHttpsAgent(dialling) }
  return {
    post: async (request) => {
      if (guard.checkDestination(request.url) !== undefined) return blocked
      return new Exchange(agents, request).run()
    },
    close: async () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

const blocked: SenderResult = {
  statusCode: null,
  errorCode: 'BLOCKED',
  error: describeFailure('BLOCKED', { statusCode: null, cause: undefined, timeoutMs: 0 }),
  timings: { dns: null, connect: null, tls: null, firstByte: null, total: 0 },
  remoteAddress: null,
  retryAfterMs: null,
}
