import type { ConnectorHosts, ConnectorSettings, RemoteProvider } from '../ports/connector-http.ts'

const zohoEnds = ['com', 'eu', 'in', 'com.au', 'com.cn', 'jp', 'sa', 'uk', 'ae', 'sg', 'ca']
const zohoApis = zohoEnds.flatMap((end) =>
  ['www', 'sandbox', 'developer'].map((name) => `https://${name}.zohoapis.${end}`),
)
const zohoAccounts = [
  ...zohoEnds.filter((end) => end !== 'ca').map((end) => `https://accounts.zoho.${end}`),
  'https://accounts.zohocloud.ca',
]

const vendorOrigins: Readonly<
  Record<RemoteProvider, Readonly<Record<'api' | 'accounts', readonly string[]>>>
> = {
  zoho: { api: zohoApis, accounts: zohoAccounts },
  hubspot: {
    api: ['https://api.hubapi.com'],
    accounts: ['https://app.hubspot.com', 'https://api.hubapi.com'],
  },
}

const defaultPorts: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' }

/** The vendors' own hosts over HTTPS, and the hosts that the operator names. */
export function createConnectorHosts({ hosts }: Pick<ConnectorSettings, 'hosts'>): ConnectorHosts {
  const named = new Set(hosts)
  const isNamed = (url: URL) => named.has(`${url.hostname}:${url.port || defaultPorts[url.protocol]}`)
  return {
    isNamed,
    isAllowed: (origin, { provider, server }) => {
      if (vendorOrigins[provider][server].includes(origin)) return true
      const url = URL.parse(origin)
      // The parser repairs other spellings of a host, so what it reads must be the text itself.
      return url !== null && url.origin === origin && isNamed(url)
    },
  }
}
