import type { Registration, SampleData, Session, TenantSetup } from '@crmkit/sdk'
import { serviceAddress } from './addresses.ts'
import { Crm } from './crm.ts'

// Without the SDK's class of the area, as `doors.ts` says.
const path = '/api/tenant/setup'
const get = { method: 'GET', path } as const
const put = { method: 'PUT', path } as const
const samplesPath = '/api/tenant/sample-data'
const addSamples = { method: 'POST', path: samplesPath } as const
const removeSamples = { method: 'DELETE', path: samplesPath } as const

interface NewTeam {
  readonly tenantName: string
  readonly email: string
  readonly password: string
  readonly firstName: string
  readonly lastName: string
  /** Of a server that others than its operator may reach. */
  readonly setupToken: string | null
}

const anonymous = () => new Crm({ baseUrl: serviceAddress })

/** Returns whether a team can be registered on this server; nobody has to be signed in. */
export function readRegistration(): Promise<Registration> {
  return anonymous().auth.registration()
}

export function registerTeam(team: NewTeam): Promise<Session> {
  return anonymous().auth.register(team)
}

export function readSetup({ requester }: Crm): Promise<TenantSetup> {
  return requester.call<TenantSetup>(get, {})
}

export function changeSetup(
  { requester }: Crm,
  body: { dismissed?: boolean; notifications?: true },
): Promise<TenantSetup> {
  return requester.call<TenantSetup>(put, { body })
}

export function addSampleData({ requester }: Crm): Promise<SampleData> {
  return requester.call<SampleData>(addSamples, {})
}

export async function removeSampleData({ requester }: Crm): Promise<void> {
  await requester.call(removeSamples, {})
}
