import { setTimeout as delay } from 'node:timers/promises'
import type { Integration } from '@crmkit/sdk'
import { CliError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'

const pollMs = 2_000

interface SignIn {
  readonly provider: 'zoho' | 'hubspot'
  readonly name: string | undefined
}

/** Prints the address of a sign-in, waits until a browser has granted access, and connects the account. */
export async function signIn(context: Context, { provider, name }: SignIn): Promise<Integration> {
  const { call } = await openClient(context, 'session')
  const started = await call((crm) => crm.integrations.connect(provider, { name }))
  // Without the address nobody could go on, so `--quiet` does not silence it.
  context.output.warn('Open this address in a browser and grant access:')
  context.output.warn(started.authorizationUrl)
  context.output.say('Waiting for the grant, at most ten minutes. Ctrl-C ends the sign-in.')
  const { state } = started
  for (;;) {
    const row = await call((crm) => unlessMissing(crm.integrations.confirm(provider, { state })))
    if (row !== undefined) return row
    if (Date.now() >= Date.parse(started.expiresAt)) throw notGranted()
    await delay(pollMs)
  }
}

/** The server knows no granted sign-in of this state until the browser was there. */
async function unlessMissing<T>(request: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if ((error as { code?: unknown }).code === 'NOT_FOUND') return undefined
    throw error
  }
}

function notGranted(): CliError {
  return new CliError('Access was not granted in time.', {
    code: 'SIGN_IN_EXPIRED',
    hint: 'Start again with "crm integrations connect".',
  })
}
