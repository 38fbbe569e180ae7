/** Lets browsers call through a telephony provider, and recognises the provider's own requests. */
export interface TelephonyProvider {
  readonly name: 'twilio' | 'local'
  /** Returns a token with which a browser makes one call and takes calls, for 10 minutes. */
  capabilityToken(grant: CallGrant): string
  /** Returns whether a callback was sent by the provider. `signature` is its header, undefined without one. */
  isSigned(callback: SignedCallback): boolean
}

export interface CallGrant {
  /** Name of the browser at the provider. */
  clientName: string
  tenantId: string
  agentId: string
  /** The number that the browser may call, E.164. */
  customerPhone: string
  nowMs: number
}

export interface SignedCallback {
  /** The address as the provider has it, with its query. */
  url: string
  form: URLSearchParams
  signature: string | undefined
}

/** The settings of an account at Twilio. */
export interface TwilioSettings {
  accountSid: string
  /** Verifies the signatures of callbacks. */
  authToken: string
  /** Signs capability tokens. */
  apiKeySid: string
  apiKeySecret: string
  /** The TwiML application that a browser's calls reach. */
  applicationSid: string
}
