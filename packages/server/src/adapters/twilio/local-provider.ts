import type { TelephonyProvider } from '../../ports/telephony-provider.ts'
import { signAccessToken } from './twilio-provider.ts'

/** Names that no account of the provider has: a real client library refuses the token at the provider. */
const signer = { accountSid: 'AClocal', apiKeySid: 'SKlocal', applicationSid: 'APlocal' }

/** Stands in for a provider on a developer's machine: tokens have the right shape, and no callback is accepted. */
export function createLocalProvider(): TelephonyProvider {
  return {
    name: 'local',
    // No key of the service: a token for one purpose must never be signed with the key of another one.
    capabilityToken: (grant) =>
      signAccessToken({ ...signer, apiKeySecret: 'local-development-key-without-any-value' }, grant),
    isSigned: () => false,
  }
}
