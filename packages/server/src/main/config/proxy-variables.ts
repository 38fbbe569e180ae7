import { BlockList, isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'

const rule =
  'must be a number of proxies, 0 to 99, or a comma list of their addresses and CIDR blocks, such as 10.0.0.0/8'

export const proxyVariables = {
  CRM_TRUST_PROXY: z
    .string()
    .transform((text, ctx): number | BlockList => {
      if (/^\d{1,2}$/.test(text)) return Number(text)
      const networks = networksOf(text)
      if (networks === undefined) ctx.addIssue({ code: 'custom', message: rule })
      return networks ?? 0
    })
    .default(0),
}

function networksOf(text: string): BlockList | undefined {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const isNetwork = (name: string) => isIP(name) > 0 || ipaddr.isValidCIDR(name)
  if (names.length === 0 || !names.every(isNetwork)) return undefined
  const networks = new BlockList()
  for (const name of names) {
    const [address = '', bits] = name.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) networks.addAddress(address, family)
    else networks.addSubnet(address, Number(bits), family)
  }
  return networks
}
