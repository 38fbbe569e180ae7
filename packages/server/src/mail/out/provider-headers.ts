/** Returns the headers that make a provider repeat our value in its events. Another server would show them to the receiver. */
export function providerHeaders(host: string, ref: string): Readonly<Record<string, string>> {
  const isOf = (domain: string) => host === domain || host.endsWith(`.${domain}`)
  if (isOf('postmarkapp.com')) return { 'X-PM-Metadata-crmkit': ref }
  if (isOf('mailgun.org')) return { 'X-Mailgun-Variables': JSON.stringify({ crmkit: ref }) }
  if (isOf('sendgrid.net')) return { 'X-SMTPAPI': JSON.stringify({ unique_args: { crmkit: ref } }) }
  return {}
}
