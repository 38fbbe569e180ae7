import type { ImapFlow } from 'imapflow'
import {
  type ListedMail,
  MailboxFailure,
  type MailboxServer,
  MailDeleted,
  type OpenMailbox,
} from '../../ports/mail-source.ts'
import { describeImapFailure } from './describe-imap-failure.ts'
import { causeOf, withinBudget } from './imap-client.ts'
import { createUidSearch } from './search-uids.ts'

const headerBytesMax = 256 * 1024
/** Longer than the network's usual pauses; a server that is asked must say something within it. */
const responseMs = 120_000
/** A page of a list has some 100 KB, a mail at most 30 MB: a server that knows no slices sends it whole. */
const bytesMax = { list: 1024 * 1024, read: 64 * 1024 * 1024 }
/**
 * A mail is read in slices: the library joins the bytes of one response, and 25 MB in one piece would hold every request for
 * 80 ms. A slice costs one round trip.
 */
const sliceBytes = 512 * 1024

/** Before the reported end a short slice need not be the last one; a long one is the whole mail. */
function endsMail({ length }: Buffer, { wanted, missing }: { wanted: number; missing: number }): boolean {
  return length > wanted || (length < wanted && missing <= 0)
}

/** The folder that a signed-in client has opened. */
export function createImapMailbox(
  client: ImapFlow,
  server: MailboxServer,
  state: { uidValidity: string; uidNext: number },
): OpenMailbox {
  /** Runs one command; a server that never completes it loses the connection. */
  async function ask<T>(bytes: number, work: () => Promise<T | false | undefined>): Promise<T> {
    try {
      const result = await withinBudget(client, { ms: responseMs, bytes }, work)
      if (result !== false && result !== undefined) return result
      throw new MailboxFailure('The server refuses a command.')
    } catch (error) {
      throw describeImapFailure(causeOf(client, error), server, 'read')
    }
  }

  /** Returns the one response about this mail; a server may send others, and leaves out a deleted one. */
  async function fetchOne(uid: number, query: Parameters<ImapFlow['fetchAll']>[1]) {
    const found = await ask(bytesMax.read, () => client.fetchAll(String(uid), query, { uid: true }))
    return found.find((mail) => mail.uid === uid)
  }

  /** Returns bytes of a mail from a position on, none behind its end; all of them from a server that knows no slices. */
  async function readSlice(uid: number, start: number, wanted: number): Promise<Buffer | undefined> {
    const found = await fetchOne(uid, { uid: true, source: { start, maxLength: wanted } })
    if (found === undefined) return undefined
    const { source } = found
    if (source === undefined && start === 0)
      throw new MailboxFailure('The server sends no content for a mail.')
    if (source !== undefined && source.length > wanted && start > 0)
      throw new MailboxFailure('The server sends more of a mail than it was asked for.')
    return source ?? Buffer.alloc(0)
  }

  const listUids = createUidSearch(client, (work) => ask(bytesMax.list, work))

  // A report that comes while another command runs must not be lost.
  let hasNews = false
  client.on('exists', () => {
    hasNews = true
  })

  return {
    ...state,
    async list({ after, since, limit }) {
      hasNews = false
      const page = (await listUids({ after, since })).slice(0, limit)
      if (page.length === 0) return []
      const fields = { uid: true, size: true, internalDate: true }
      const rows = await ask(bytesMax.list, () => client.fetchAll(page.join(','), fields, { uid: true }))
      const byUid = new Map(rows.map((row) => [row.uid, row]))
      return page.map((uid): ListedMail => {
        const row = byUid.get(uid)
        return { uid, sizeBytes: Number(row?.size ?? 0), receivedAt: timeOf(row?.internalDate) }
      })
    },
    async *read({ uid, sizeBytes }, lengthMax) {
      let first: Buffer | undefined
      for (let length = 0; length < lengthMax; ) {
        const wanted = Math.min(sliceBytes, lengthMax - length)
        const slice = await readSlice(uid, length, wanted)
        if (slice === undefined) throw new MailDeleted()
        // A server that knows no slices begins again.
        if (slice.length === 0 || first?.equals(slice)) break
        first ??= slice
        yield slice.subarray(0, lengthMax)
        length += slice.length
        if (endsMail(slice, { wanted, missing: sizeBytes - length })) break
      }
    },
    async readHeader(uid) {
      const found = await fetchOne(uid, { uid: true, headers: true })
      return found?.headers?.subarray(0, headerBytesMax)
    },
    waitForMail(ms) {
      const news = new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer)
          client.off('exists', end).off('close', end)
          resolve()
        }
        const timer = setTimeout(end, ms)
        client.on('exists', end).on('close', end)
        if (hasNews || !client.usable) return end()
        // It ends with the next command; a server without it is polled by the library.
        void client.idle().catch(() => undefined)
      })
      return withinBudget(client, { ms: Number.POSITIVE_INFINITY, bytes: bytesMax.list }, () => news)
    },
    close: () => client.close(),
  }
}

function timeOf(date: Date | string | undefined): string | undefined {
  if (date === undefined) return undefined
  const time = new Date(date)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
