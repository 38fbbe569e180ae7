interface ProviderValue {
  /** Our value, which the provider repeats in its events. */
  ref: string
  sesConfigurationSet?: string | null
}

const sesHost = /^email-smtp(?:-fips)?\.[a-z0-9-]+\.amazonaws\.(?:com(?:\.cn)?|eu)$/

/** Returns the headers that make a provider repeat our value in its events. Another server would show them to the receiver. */
export function providerHeaders(
  host: string,
  { ref, sesConfigurationSet = null }: ProviderValue,
): Readonly<Record<string, string>> {
  const isOf = (domain: string) => host === domain || host.endsWith(`.${domain}`)
  if (isOf('postmarkapp.com')) return { 'X-PM-Metadata-crmkit': ref }
  if (isOf('mailgun.org')) return { 'X-Mailgun-Variables': JSON.stringify({ crmkit: ref }) }
  if (isOf('sendgrid.net')) return { 'X-SMTPAPI': JSON.stringify({ unique_args: { crmkit: ref } }) }
  if (!sesHost.test(host)) return {}
  return {
    // A value may have letters, digits, - and _ alone.
    'X-SES-MESSAGE-TAGS': `crmkit=${ref.replaceAll('.', '-')}`,
    ...(sesConfigurationSet !== null && { 'X-SES-CONFIGURATION-SET': sesConfigurationSet }),
  }
}
