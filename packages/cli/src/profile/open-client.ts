import type { Crm } from '@crmkit/sdk'
import { type CliError, credentialError } from '../cli-error.ts'
import type { Context } from '../context.ts'
import { credentialKind, type StoredSession } from './profile.ts'
import { isExpiring, renewSession } from './renew-session.ts'
import { requireBaseUrl, resolveTarget, type Target } from './resolve-target.ts'

/** `session` is for operations that refuse API keys. */
export type Need = 'session' | 'any'

type Credential =
  | { readonly kind: 'session'; readonly session: StoredSession }
  | { readonly kind: 'apiKey'; readonly apiKey: string; readonly origin: 'environment' | 'profile' }

export interface Client {
  readonly target: Target
  readonly baseUrl: string
  readonly credential: Credential
  /** Runs `work` with a valid credential; after a renewal of the session `work` runs a second time. */
  call<T>(work: (crm: Crm) => PromiseLike<T>): Promise<T>
}

/** Makes a client for the server and the credential that flags, environment and profile name. */
export async function openClient(context: Context, need: Need = 'any'): Promise<Client> {
  const target = await resolveTarget(context.flags, context.environment, context.store)
  const baseUrl = requireBaseUrl(target)
  const credential = await chooseCredential(context, target, need)
  const call =
    credential.kind === 'apiKey'
      ? async <T>(work: (crm: Crm) => PromiseLike<T>) =>
          work(await createCrm({ baseUrl, apiKey: credential.apiKey }))
      : sessionCaller(context, { target, baseUrl, session: credential.session })
  return { target, baseUrl, credential, call }
}

interface CrmOptions {
  readonly baseUrl: string
  readonly apiKey?: string
  readonly accessToken?: string
}

/** Makes the SDK client with the given credential, or without one. */
export async function createCrm(options: CrmOptions): Promise<Crm> {
  const { Crm: Client } = await import('@crmkit/sdk')
  // Short, because a person waits: a longer `Retry-After` is reported as an error.
  return new Client({ ...options, timeout: 15_000, deadline: 20_000 })
}

async function chooseCredential(context: Context, target: Target, need: Need): Promise<Credential> {
  const { profileName, isProfileServer } = target
  const fromEnvironment = context.flags.profile === undefined ? context.environment.apiKey : undefined
  if (fromEnvironment && need === 'any') {
    return { kind: 'apiKey', apiKey: fromEnvironment, origin: 'environment' }
  }
  // As late as possible: a keyring may ask the person for its password.
  const { session, apiKey } = (isProfileServer && (await context.store.find(profileName))) || {}
  if (need === 'session') {
    if (!session) throw noSession(target)
    if (fromEnvironment) context.output.say('CRM_API_KEY is not used: this command needs a signed-in user.')
    return { kind: 'session', session }
  }
  if (session) return { kind: 'session', session }
  if (apiKey) return { kind: 'apiKey', apiKey, origin: 'profile' }
  throw noCredential(target)
}

function noSession(target: Target): CliError {
  if (target.profile && credentialKind(target.profile) === 'session' && !target.isProfileServer) {
    return noCredential(target)
  }
  return credentialError(
    'This command needs a signed-in user; an API key is not enough.',
    'Run "crm login" first.',
  )
}

function noCredential({ profile, profileName, isProfileServer, baseUrl }: Target): CliError {
  if (profile && !isProfileServer) {
    return credentialError(
      `The credentials of profile "${profileName}" belong to ${profile.baseUrl} and are not sent to ${baseUrl}.`,
      'Sign in there with "crm login --profile NAME --base-url URL", or set CRM_API_KEY.',
    )
  }
  return credentialError('You are not signed in.', 'Run "crm login" or "crm init", or set CRM_API_KEY.')
}

interface SessionTarget {
  readonly target: Target
  readonly baseUrl: string
  readonly session: StoredSession
}

function sessionCaller(context: Context, { target, baseUrl, session }: SessionTarget): Client['call'] {
  let current = session

  async function renew(): Promise<void> {
    const { profileName } = target
    const exchange = (refreshToken: string) => exchangeRefreshToken(baseUrl, refreshToken)
    current = await renewSession({
      store: context.store,
      profileName,
      staleAccessToken: current.accessToken,
      exchange,
    })
  }

  return async (work) => {
    if (isExpiring(current)) await renew()
    try {
      return await work(await createCrm({ baseUrl, accessToken: current.accessToken }))
    } catch (error) {
      if (!(await isRefusedToken(error))) throw error
      // The clocks may differ, or the session may have ended: one renewal decides.
      await renew()
      return await work(await createCrm({ baseUrl, accessToken: current.accessToken }))
    }
  }
}

async function exchangeRefreshToken(baseUrl: string, refreshToken: string) {
  try {
    // The client retries a lost response: within 10 s the server returns the same successor token.
    const crm = await createCrm({ baseUrl })
    return await crm.auth.refresh({ refreshToken }, { timeout: 8_000, deadline: 9_000 })
  } catch (error) {
    if (await isRefusedToken(error)) return undefined
    throw error
  }
}

async function isRefusedToken(error: unknown): Promise<boolean> {
  const { AuthenticationError } = await import('@crmkit/sdk')
  return error instanceof AuthenticationError && error.code === 'AUTH_REQUIRED'
}
