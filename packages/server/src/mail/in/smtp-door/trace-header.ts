import type { SMTPServerSession } from 'smtp-server'

/** Returns the header with the sender of the envelope; an empty one asks for no reply (RFC 5321, section 4.4). */
export function returnPath(from: string): string {
  return `Return-Path: <${from.replace(/[^\u0021-\u007e]|[<>]/g, '')}>\r\n`
}

/** Returns the header that says how a mail came in (RFC 5321, section 4.4). */
export function traceHeader(
  { hostNameAppearsAs, remoteAddress, secure, id }: SMTPServerSession,
  { domain, nowMs }: { domain: string; nowMs: number },
): string {
  const named = printable(String(hostNameAppearsAs || 'unknown'))
  const date = new Date(nowMs).toUTCString().replace('GMT', '+0000')
  const protocol = secure ? 'ESMTPS' : 'ESMTP'
  return `Received: from ${named} ([${remoteAddress}]) by ${domain} with ${protocol} id ${id}; ${date}\r\n`
}

/**
 * Returns a header for mail from anybody: only the topmost result of an authentication counts, so one that the sender has
 * written itself says nothing. The name of this service cannot be among those that an inbox believes by mistake.
 */
export function untrustedHeader(domain: string): string {
  return `Authentication-Results: crmkit-smtp.${domain}; none\r\n`
}

function printable(text: string): string {
  return text.replace(/[^A-Za-z0-9.:_[\]-]+/g, '?').slice(0, 253)
}
