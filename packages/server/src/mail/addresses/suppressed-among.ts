import { normalizeEmail } from '@crmkit/core'
import type { TenantStore } from '../../ports/storage.ts'
import { emailForms } from '../../storage/rules/email-forms.ts'

/** Returns the subset of `addresses` that gets no mail, in their normal form. */
export async function suppressedAmong(
  store: Pick<TenantStore, 'suppressedAddresses'>,
  addresses: readonly string[],
): Promise<Set<string>> {
  const forms = [...new Set(addresses.flatMap(emailForms))]
  const pages = await Promise.all(
    forms.map((address) => store.suppressedAddresses.list({ address, page: 1, limit: 1 })),
  )
  return new Set(pages.flatMap(({ rows }) => rows.map(({ address }) => normalizeEmail(address))))
}
