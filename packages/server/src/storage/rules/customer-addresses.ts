import { hash } from 'node:crypto'

/** Returns the id of the row that gives an address to a customer. `address` is its `normalizeEmail`. */
export function customerAddressId({ customerId, address }: { customerId: string; address: string }): string {
  return hash('sha256', `${customerId} ${address}`, 'base64url')
}
