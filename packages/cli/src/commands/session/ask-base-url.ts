import type { Context } from '../../context.ts'
import { normalBaseUrl } from '../../profile/profile.ts'
import { resolveTarget, type Target } from '../../profile/resolve-target.ts'

/** Whether a host name stands for this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** The server to sign in to; asks for it when nothing names it. `otherValues` are checked at the same time. */
export async function askBaseUrl(
  context: Context,
  otherValues: Readonly<Record<string, unknown>>,
): Promise<{ baseUrl: string; target: Target }> {
  const { environment, flags, output, prompter, store } = context
  const target = await resolveTarget(flags, environment, store)
  prompter.requireValues({ '--base-url': target.baseUrl, ...otherValues })
  const baseUrl =
    target.baseUrl ?? normalBaseUrl(await prompter.text('The server', { default: 'http://127.0.0.1:3000' }))
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'http:' && !isLoopback(hostname)) {
    output.warn(
      `warning: ${baseUrl} is not encrypted; the password and all other data are sent in plain text.`,
    )
  }
  return { baseUrl, target }
}
