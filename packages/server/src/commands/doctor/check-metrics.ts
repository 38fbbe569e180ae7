import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { MetricsAddress } from '../../main/config/config.ts'
import type { Finding } from '../../ports/diagnosis.ts'
import type { Check } from './check.ts'

const waitMs = 2_000

/** Returns the address at which a listener of this machine can be reached. */
function urlOf({ host, port }: MetricsAddress): string {
  const isAny = isIP(host) > 0 && ipaddr.process(host).range() === 'unspecified'
  const reached = isAny ? '127.0.0.1' : host
  return `http://${isIP(reached) === 6 ? `[${reached}]` : reached}:${port}/metrics`
}

/** Judges the response of the port; undefined: nothing listens there. */
function metricsFinding(url: string, text: string | undefined): Finding {
  if (text === undefined)
    return { outcome: 'ok', sentence: `No process serves metrics at ${url} at present.` }
  const [, version] = /^crm_build_info\{version="([^"]+)"/m.exec(text) ?? []
  if (version !== undefined)
    return { outcome: 'ok', sentence: `A process of version ${version} serves its metrics at ${url}.` }
  return {
    outcome: 'problem',
    sentence: `Another program uses the port of the metrics: ${url} is not a server of crmkit.`,
    mend: 'Set CRM_METRICS_PORT to a free port; each process of a machine needs its own',
  }
}

async function read(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(waitMs) })
    return await response.text()
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    // A program that accepts a connection and speaks no HTTP is another one.
    return cause?.code === 'ECONNREFUSED' ? undefined : ''
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) > 0 && ipaddr.process(host).range() === 'loopback')
}

export const checkMetrics: Check = {
  subject: 'metrics',
  async run({ config: { metrics } }) {
    if (metrics === undefined)
      return [{ outcome: 'ok', sentence: 'No metrics are served: CRM_METRICS_PORT is not set.' }]
    const findings: Finding[] = []
    if (!isLoopback(metrics.host)) {
      findings.push({
        outcome: 'warning',
        sentence: `CRM_METRICS_HOST is ${metrics.host}: other machines can read the metrics without a credential.`,
        mend: 'Let only your monitoring reach the port, by a firewall or a private network',
      })
    }
    // Any free port cannot be known here.
    if (metrics.port === 0)
      return [...findings, { outcome: 'ok', sentence: 'CRM_METRICS_PORT takes any free port.' }]
    const url = urlOf(metrics)
    return [...findings, metricsFinding(url, await read(url))]
  },
}
