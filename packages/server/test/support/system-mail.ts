import { expect } from 'vitest'

interface KeptMail {
  envelope: { from: string; to: string[] }
  raw: string
}

/** Returns the mail that a developer's machine has kept for an address, the oldest first. */
export async function mailTo(url: string, address: string): Promise<KeptMail[]> {
  const { data } = (await (await fetch(`${url}/dev/mail.json`)).json()) as { data: KeptMail[] }
  return data.filter(({ envelope }) => envelope.to.includes(address)).reverse()
}

/** Waits until an address has got so many mails, and returns the token in the link of the last one. */
export async function tokenMailedTo(url: string, address: string, count = 1): Promise<string> {
  await expect.poll(async () => (await mailTo(url, address)).length).toBe(count)
  const mails = await mailTo(url, address)
  return tokenOf(mails.at(-1)?.raw ?? '')
}

/** The lines of quoted-printable text, joined again. */
export function textOf(raw: string): string {
  return raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
}

export function tokenOf(raw: string): string {
  return /#token=([\w.-]+)/.exec(textOf(raw))?.[1] ?? ''
}
