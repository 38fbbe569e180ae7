import { makeCertificate, type TestCertificate } from '../../support/https-receiver.ts'
import { type Fleet, type MemberSetting, startFleet } from './fleet.ts'
import { type Load, type LoadCounts, type LoadSetting, openLoad } from './load.ts'
import { createRandom, type Random } from './random.ts'
import { type Receivers, startReceivers } from './receivers.ts'
import type { Findings } from './verify.ts'
import type { FaultWorld } from './worlds.ts'

export interface RunSetting {
  world: FaultWorld
  seed: number
  /** The server processes; one by default. Each gets the variables of the world beside its own. */
  servers?: readonly MemberSetting[]
  load?: Omit<LoadSetting, 'fleet' | 'receivers' | 'random'>
}

/** A world with servers, receivers and a load that writes, until it is verified. */
export interface FaultRun {
  fleet: Fleet
  load: Load
  receivers: Receivers
  /** The certificate that the servers trust. */
  certificate: TestCertificate
  random: Random
  /** Ends the load, waits for due work, ends the servers and returns the findings. Removes everything. */
  finish(expected?: { crashes?: number; withinMs?: number }): Promise<RunReport>
}

export interface RunReport extends Findings, LoadCounts {
  world: string
  seed: number
  crashes: number
  /** Contradictions between the storage and its own files. */
  corruption: string[]
}

export async function startFaultRun({
  world,
  seed,
  servers,
  load: sizes = {},
}: RunSetting): Promise<FaultRun> {
  const random = createRandom(seed)
  const certificate = await makeCertificate()
  const receivers = await startReceivers(certificate)
  const shared = {
    ...world.variables,
    CRM_RATE_LIMITS: 'off',
    CRM_WEBHOOK_CA_FILE: certificate.caFile,
    CRM_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  }
  const settings = servers ?? [{ name: 'server', variables: {} }]
  const fleet = await startFleet(
    settings.map((one) => ({ ...one, variables: { ...shared, ...one.variables } })),
  )
  const load = await openLoad({ ...sizes, fleet, receivers, random: random.fork('load') })
  load.start()
  return {
    fleet,
    load,
    receivers,
    certificate,
    random,
    async finish({ crashes = 0, ...limits } = {}) {
      await load.stop()
      const findings = await load.verify({ crashes, ...limits })
      const codes = await fleet.stop()
      if (codes.some((code) => code !== 0)) findings.contradictions.push(`the servers ended with ${codes}`)
      const corruption = await world.integrityProblems()
      await receivers.close()
      certificate.remove()
      await world.remove()
      return { world: world.name, seed, crashes, ...findings, corruption }
    },
  }
}

/** Failures of a run; empty when it has held every guarantee. */
export function failuresOf(report: RunReport): string[] {
  const { lostRows, lostEvents, contradictions, corruption } = report
  return [
    ...lostRows.map((text) => `acknowledged and not stored: ${text}`),
    ...lostEvents.map((text) => `never delivered: ${text}`),
    ...contradictions,
    ...corruption.map((text) => `integrity: ${text}`),
  ]
}
