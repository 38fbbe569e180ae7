import { setTimeout as delay } from 'node:timers/promises'
import type { Crm } from '@crmkit/sdk'
import { CliError } from '../cli-error.ts'
import type { Context } from '../context.ts'
import type { Client } from '../profile/open-client.ts'

const pollMs = 2_000

interface Waiting<T> {
  call: Client['call']
  started: { authorizationUrl: string; state: string; expiresAt: string }
  confirm(crm: Crm, state: string): PromiseLike<T>
  /** The command that starts again. */
  command: string
}

/** Prints the address of a sign-in, waits until a browser has granted access, and confirms it. */
export async function waitForGrant<T>(
  { output }: Context,
  { call, started, confirm, command }: Waiting<T>,
): Promise<T> {
  // Without the address nobody could go on, so `--quiet` does not silence it.
  output.warn('Open this address in a browser and grant access:')
  output.warn(started.authorizationUrl)
  output.say('Waiting for the grant, at most ten minutes. Ctrl-C ends the sign-in.')
  for (;;) {
    const row = await call((crm) => unlessMissing(confirm(crm, started.state)))
    if (row !== undefined) return row
    if (Date.now() >= Date.parse(started.expiresAt)) throw notGranted(command)
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

function notGranted(command: string): CliError {
  return new CliError('Access was not granted in time.', {
    code: 'SIGN_IN_EXPIRED',
    hint: `Start again with "${command}".`,
  })
}
