import { normalizeEmail } from '@crmkit/core'
import type { TenantStore } from '../../ports/storage.ts'
import { emailForms } from '../../storage/rules/email-forms.ts'
import { isSampleAddress } from './sample-addresses.ts'

/** Returns the subset of `addresses` that gets no mail, those of sample customers among them, in their normal form. */
export async function suppressedAmong(
  store: Pick<TenantStore, 'suppressedAddresses'>,
  addresses: readonly string[],
): Promise<Set<string>> {
  const forms = [...new Set(addresses.flatMap(emailForms))]
  const pages = await Promise.all(
    forms.map((address) => store.suppressedAddresses.listRows({ address, page: 1, limit: 1 })),
  )
  const listed = pages.flatMap(({ rows }) => rows.map(({ address }) => address))
  return new Set([...listed, ...addresses.filter(isSampleAddress)].map(normalizeEmail))
}
