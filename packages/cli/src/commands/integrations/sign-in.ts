import type { Integration } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import { waitForGrant } from '../wait-for-grant.ts'

interface SignIn {
  readonly provider: 'zoho' | 'hubspot'
  readonly name: string | undefined
}

/** Prints the address of a sign-in, waits until a browser has granted access, and connects the account. */
export async function signIn(context: Context, { provider, name }: SignIn): Promise<Integration> {
  const { call } = await openClient(context, 'session')
  const started = await call((crm) => crm.integrations.connect(provider, { name }))
  return waitForGrant(context, {
    call,
    started,
    confirm: (crm, state) => crm.integrations.confirm(provider, { state }),
    command: 'crm integrations connect',
  })
}
