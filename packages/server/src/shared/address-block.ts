import ipaddr from 'ipaddr.js'

/** An address or a CIDR block; undefined when it is neither. */
export function parseBlock(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
  // Four decimal parts only: 010.1 and 2130706433 are addresses to some parsers and typing errors to people.
  if (!ipaddr.IPv4.isValidFourPartDecimal(entry) && !ipaddr.IPv6.isValid(entry)) return undefined
  const address = ipaddr.process(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Whether an address is one of the list or lies in one of its blocks. An IPv4 address in IPv6 form counts as IPv4. */
export function isAddressIn(address: string, list: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return list.some((entry) => {
    const block = parseBlock(entry)
    return block !== undefined && block[0].kind() === parsed.kind() && parsed.match(block)
  })
}
