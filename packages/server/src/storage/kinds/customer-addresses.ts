import { defineKindOf } from './define-kind.ts'
import { moment, nullableMoment, nullableText, reference, tenantRow, text, times, word } from './fields.ts'

/**
 * An e-mail address or a phone number of a customer other than the current `profile.email` and `profile.phone`: one more that is
 * theirs, or a former one. `shared/people-of-address.ts` and `shared/people-of-phone.ts` read them.
 */
export interface CustomerAddressRecord {
  /** `customerAddressId`: two commits at once cannot both make it. */
  _id: string
  tenantId: string
  customerId: string
  /** `normalizeEmail` of an address; a phone number in E.164 form. */
  address: string
  /** When it became theirs, as far as it is known. */
  since: string
  /** Null while it is theirs; else when it ceased to be. */
  until: string | null
  /** `changed`: it was `profile.email` or `profile.phone`. `merged`: of a customer who was merged. `import`: one more of a record. `signed`: of a sign-in. */
  source: 'changed' | 'merged' | 'import' | 'signed'
  /** The run of an import that made the row, which its undo removes; null for every other row. */
  madeBy: string | null
  createdAt: string
  updatedAt: string
}

export const customerAddresses = defineKindOf<CustomerAddressRecord>()('customerAddresses', {
  idPrefix: null,
  fields: {
    ...tenantRow,
    _id: text('secret'),
    customerId: reference('customers'),
    address: text('customer'),
    since: moment('plain'),
    until: nullableMoment('plain'),
    source: word('plain'),
    madeBy: nullableText('id'),
    ...times,
  },
  owners: { customers: 'customerId' },
  list: {
    filters: {
      address: { matches: 'address', index: 'address' },
      customerId: { matches: 'customerId', index: 'customer' },
      madeBy: { matches: 'madeBy', index: 'made', onlySet: true },
    },
    orders: {
      createdAt: { by: 'createdAt', isDescending: false },
      '-createdAt': { by: 'createdAt', isDescending: true },
    },
    needsOneOf: ['address', 'customerId', 'madeBy'],
  },
  erasure: { rows: 'deleted' },
  quota: { rows: 20_000_000 },
  retention: 'permanent',
})
