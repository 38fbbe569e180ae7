import { z } from 'zod'
import { createConnectorHosts } from '../../connectors/connector-hosts.ts'
import type { ConnectorSettings } from '../../ports/connector-http.ts'

const origin = z
  .string()
  .refine((text) => URL.parse(text)?.origin === text, 'must be an origin such as https://accounts.zoho.com')
const hostList = z.string().transform((text, ctx) => {
  const list = text.split(',').map((host) => host.trim())
  if (!list.every((host) => /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):\d{1,5}$/.test(host))) {
    ctx.addIssue({ code: 'custom', message: 'must be a comma list of host:port, such as 127.0.0.1:4010' })
  }
  return list
})
const id = z.string().min(1).max(200).optional()

/** The data centres of Zoho that may have a client secret of their own, with the end of their hosts. */
const dataCentres = {
  EU: 'eu',
  IN: 'in',
  AU: 'com.au',
  CN: 'com.cn',
  JP: 'jp',
  CA: 'ca',
  SA: 'sa',
  UK: 'uk',
  AE: 'ae',
  SG: 'sg',
} as const
type DataCentre = keyof typeof dataCentres
const centres = Object.keys(dataCentres) as DataCentre[]
type CentreSecret = `CRM_ZOHO_CLIENT_SECRET_${DataCentre}`
const centreSecrets = centres.map((name): CentreSecret => `CRM_ZOHO_CLIENT_SECRET_${name}`)
const centreVariables = Object.fromEntries(centreSecrets.map((name) => [name, id])) as Record<
  CentreSecret,
  typeof id
>

/** The part of the environment that is about external CRMs. */
export const connectorVariables = {
  CRM_ZOHO_CLIENT_ID: id,
  CRM_ZOHO_CLIENT_SECRET: id,
  ...centreVariables,
  CRM_ZOHO_ACCOUNTS_SERVER: origin.default('https://accounts.zoho.com'),
  CRM_HUBSPOT_CLIENT_ID: id,
  CRM_HUBSPOT_CLIENT_SECRET: id,
  CRM_HUBSPOT_ACCOUNTS_SERVER: origin.default('https://app.hubspot.com'),
  CRM_HUBSPOT_API_DOMAIN: origin.default('https://api.hubapi.com'),
  CRM_CONNECTOR_HOSTS: hostList.optional(),
  CRM_CONNECTOR_CA_FILE: z.string().min(1).optional(),
  CRM_CONNECTOR_UNSAFE: z.enum(['0', '1'], 'must be 0 or 1').optional(),
}
const schema = z.object(connectorVariables)
type Values = z.output<typeof schema> & { CRM_ENVIRONMENT: string }

export const connectorSecrets = [
  'CRM_ZOHO_CLIENT_SECRET',
  'CRM_HUBSPOT_CLIENT_SECRET',
  ...centreSecrets,
] as const

/** Returns the problems of settings that are valid by themselves but not together. */
export function connectorProblems(values: Values): string[] {
  const hosts = createConnectorHosts({ hosts: values.CRM_CONNECTOR_HOSTS ?? [] })
  const servers = [
    ['CRM_ZOHO_ACCOUNTS_SERVER', 'zoho', 'accounts'],
    ['CRM_HUBSPOT_ACCOUNTS_SERVER', 'hubspot', 'accounts'],
    ['CRM_HUBSPOT_API_DOMAIN', 'hubspot', 'api'],
  ] as const
  const problems = servers
    .filter(([name, provider, server]) => !hosts.isAllowed(values[name], { provider, server }))
    .map(([name]) => `${name} names a host that is neither the vendor's nor in CRM_CONNECTOR_HOSTS`)
  const isRefused = values.CRM_ENVIRONMENT === 'production' && values.CRM_CONNECTOR_UNSAFE !== '1'
  if (isRefused && values.CRM_CONNECTOR_HOSTS) problems.push('CRM_CONNECTOR_HOSTS is refused in production')
  return problems
}

export function connectorSettings(values: Values): ConnectorSettings {
  const secrets = centres.flatMap((name) => {
    const secret = values[`CRM_ZOHO_CLIENT_SECRET_${name}`]
    return secret === undefined ? [] : [[dataCentres[name], secret]]
  })
  return {
    zoho: {
      clientId: values.CRM_ZOHO_CLIENT_ID ?? null,
      clientSecret: values.CRM_ZOHO_CLIENT_SECRET ?? null,
      clientSecrets: Object.fromEntries(secrets),
      accountsServer: values.CRM_ZOHO_ACCOUNTS_SERVER,
    },
    hubspot: {
      clientId: values.CRM_HUBSPOT_CLIENT_ID ?? null,
      clientSecret: values.CRM_HUBSPOT_CLIENT_SECRET ?? null,
      accountsServer: values.CRM_HUBSPOT_ACCOUNTS_SERVER,
      apiDomain: values.CRM_HUBSPOT_API_DOMAIN,
    },
    hosts: values.CRM_CONNECTOR_HOSTS ?? [],
    caFile: values.CRM_CONNECTOR_CA_FILE,
  }
}
