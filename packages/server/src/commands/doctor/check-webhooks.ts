import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Finding } from '../../ports/diagnosis.ts'
import type { Check } from './check.ts'

// bounded: a file of the operator.
const certificate = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs

/** Judges a file of certificate authorities. */
export function caFinding(file: string, nowMs: number): Finding {
  const mend = 'Set CRM_WEBHOOK_CA_FILE to a readable file of PEM certificates that are valid now'
  const problem = (reason: string): Finding => ({
    outcome: 'problem',
    sentence: `CRM_WEBHOOK_CA_FILE (${file}) ${reason}.`,
    mend,
  })
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return problem(`cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
  const blocks = text.match(certificate) ?? []
  if (blocks.length === 0) return problem('holds no PEM certificate')
  try {
    const expired = blocks.filter((block) => Date.parse(new X509Certificate(block).validTo) < nowMs)
    if (expired.length > 0) return problem(`holds ${expired.length} expired certificates`)
  } catch {
    return problem('holds a certificate that cannot be parsed')
  }
  return { outcome: 'ok', sentence: `CRM_WEBHOOK_CA_FILE holds ${blocks.length} valid certificates.` }
}

export const checkWebhooks: Check = {
  subject: 'webhooks',
  run: ({ config: { webhookCaFile } }) =>
    webhookCaFile === undefined
      ? [{ outcome: 'ok', sentence: 'Webhook receivers are trusted by the system certificates.' }]
      : [caFinding(webhookCaFile, Date.now())],
}
