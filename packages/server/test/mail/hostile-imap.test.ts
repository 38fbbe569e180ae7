import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ImapScript, startHostileImap } from '../support/hostile-imap.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { makeImapInbox } from '../support/imap-inbox.ts'
import { type RunningService, startService } from '../support/start-service.ts'

let certificate: TestCertificate
let service: RunningService
beforeAll(async () => {
  certificate = await makeCertificate()
  service = await startService({ CRM_MAIL_CA_FILE: certificate.caFile })
})
afterAll(async () => {
  await service?.stop()
  certificate.remove()
})

async function withServer(
  script: ImapScript,
  use: (parts: {
    inbox: Awaited<ReturnType<typeof makeImapInbox>>
    server: Awaited<ReturnType<typeof startHostileImap>>
  }) => Promise<void>,
): Promise<void> {
  const server = await startHostileImap(certificate, script)
  try {
    const inbox = await makeImapInbox(service, { port: server.port })
    await inbox.setPassword('hunter2')
    await use({ inbox, server })
    await inbox.setImap(null)
  } finally {
    await server.stop()
  }
}

interface Mail {
  _id: string
  status: string
  subject: string
}

async function rawOf({ owner: { token } }: { owner: { token: string } }, id: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${service.url}/api/v1/inbound-mails/${id}/raw`, { headers })).text()
}

const good = 'From: ada@example.com\r\nSubject: good\r\nMessage-ID: <good@example.com>\r\n\r\nHello'
const literal = (text: string) => `{${text.length}}\r\n${text}`

/** Expands a set such as `1,3:5`. */
function uidsOf(set: string): number[] {
  return set.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split(':').map(Number)
    return Array.from({ length: last - first + 1 }, (_, at) => first + at)
  })
}

/** A folder with mails of these UIDs, whose contents `read` returns. */
const folderOf =
  (
    search: string,
    read: (uid: number, command: string) => string | undefined,
    sizeOf: (uid: number) => number = () => 100,
  ): ImapScript =>
  (command) => {
    if (command.startsWith('UID SEARCH')) return `* SEARCH ${search}\r\n`
    const [, set] = /^UID FETCH (\S+)/.exec(command) ?? []
    if (set === undefined) return undefined
    const uids = uidsOf(set)
    if (!command.includes('BODY'))
      return uids.map((uid, at) => `* ${at + 1} FETCH (UID ${uid} RFC822.SIZE ${sizeOf(uid)})\r\n`).join('')
    return uids.map((uid) => read(uid, command) ?? '').join('')
  }

test('a mail with a literal without end is set aside after three tries, and the mail after it is read', () => {
  const script = folderOf('1 2', (uid) => {
    const content = uid === 1 ? '{99999999999}\r\n' : literal(good)
    return `* ${uid} FETCH (UID ${uid} BODY[]<0> ${content})\r\n`
  })
  return withServer(script, async ({ inbox, server }) => {
    const states = async () =>
      (await inbox.mailsOf()).map((mail: Record<string, unknown>) => [mail['status'], mail['reason']]).sort()
    await expect.poll(states).toEqual([
      ['parked', 'fetch_failed'],
      ['processed', null],
    ])
    expect(server.signIns()).toBe(4)
  })
})

test('a line without end is cut off, reported in one sentence, and does not hold the service', () => {
  const script: ImapScript = (command, write) => {
    if (!command.startsWith('UID SEARCH')) return undefined
    for (let count = 0; count < 6; count++) write('* SEARCH '.padEnd(1024 * 1024, '1 '))
    return ''
  }
  return withServer(script, async ({ inbox }) => {
    await expect
      .poll(inbox.statusOf)
      .toMatchObject({ ok: false, error: expect.stringContaining('longer than allowed') })
    expect((await inbox.ask('GET', '/api/v1/inboxes')).status).toBe(200)
  })
})

test('a folder of any size is searched by ranges of 5,000 UIDs, however far apart they are', async () => {
  const uids = [2, 3, 4_900, 12_000, 1_700_000_000, 4_294_967_290]
  const ranges: [number, number][] = []
  let commands = 0
  const script: ImapScript = (command) => {
    commands += 1
    if (command.startsWith('EXAMINE'))
      return `* ${uids.length} EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 1] ok\r\n`
    const [, low, high] = /^UID SEARCH .*?(\d+):(\d+|\*)/.exec(command) ?? []
    if (low !== undefined) {
      ranges.push([Number(low), Number(high)])
      return `* SEARCH ${uids.filter((uid) => uid >= Number(low) && uid <= Number(high)).join(' ')}\r\n`
    }
    const [, position] = /^FETCH (\d+)/.exec(command) ?? []
    if (position !== undefined) return `* ${position} FETCH (UID ${uids[Number(position) - 1]})\r\n`
    const [, set] = /^UID FETCH (\S+)/.exec(command) ?? []
    if (set === undefined) return undefined
    const content = (uid: number) =>
      command.includes('BODY')
        ? `BODY[]<0> ${literal(good.replaceAll('good', `mail-${uid}`))}`
        : 'RFC822.SIZE 100'
    return uidsOf(set)
      .map((uid) => `* ${uids.indexOf(uid) + 1} FETCH (UID ${uid} ${content(uid)})\r\n`)
      .join('')
  }
  await withServer(script, async ({ inbox }) => {
    const subjects = async () =>
      (await inbox.mailsOf()).map((mail: { subject: string }) => mail.subject).sort()
    await expect.poll(subjects).toEqual(uids.map((uid) => `mail-${uid}`).sort())
  })
  expect(ranges.every(([low, high]) => high - low < 5_000)).toBe(true)
  expect(commands).toBeLessThan(150)
})

test.each([
  ['a search', 'UID SEARCH'],
  ['a sign-in', 'LOGIN'],
  ['the wait for mail', 'IDLE'],
])('a server that sends megabytes of short lines at %s loses the connection after the first', (_, at) => {
  let sent = 0
  const script: ImapScript = (command, write) => {
    if (command.startsWith('UID SEARCH') && at !== 'UID SEARCH') return '* SEARCH\r\n'
    if (!command.startsWith(at)) return undefined
    for (let count = 0; count < 40; count++) {
      sent += 1
      write('* OK still here\r\n'.repeat(4_096))
    }
    return ''
  }
  return withServer(script, async ({ inbox }) => {
    await expect
      .poll(inbox.statusOf)
      .toMatchObject({ ok: false, error: expect.stringContaining('longer than allowed (BudgetExceeded)') })
    expect(sent).toBeGreaterThan(0)
  })
})

test('a server that ends the connection at the folder, or sends too much of it, is not reported as a wrong folder', async () => {
  const endings: [ImapScript, string][] = [
    [(command) => (command.startsWith('EXAMINE') ? null : undefined), 'The connection ended'],
    [
      (command) => (command.startsWith('EXAMINE') ? '* OK {4294967295}\r\n' : undefined),
      'longer than allowed',
    ],
  ]
  for (const [script, said] of endings)
    await withServer(script, ({ inbox }) =>
      expect.poll(inbox.statusOf).toMatchObject({ ok: false, error: expect.stringContaining(said) }),
    )
})

test('UIDs that are repeated, invalid, lower than the last one or not asked for neither double nor block a mail [own.mail.imap.cursor]', () => {
  const script = folderOf('5 5 4 0 -1 99999999999 3', (uid) => {
    const other = `* 9 FETCH (UID 77 BODY[]<0> ${literal(good.replaceAll('good', 'not asked for'))})\r\n`
    return uid === 5 ? `${other}* 1 FETCH (UID 5 BODY[]<0> ${literal(good)})\r\n` : other
  })
  return withServer(script, async ({ inbox }) => {
    const subjects = async () => (await inbox.mailsOf()).map((mail: { subject: string }) => mail.subject)
    await expect.poll(subjects).toEqual(['good'])
    await expect.poll(async () => (await inbox.store.mailCursors.find(inbox.inboxId))?.uid).toBe(5)
  })
})

test('a mail arrives byte for byte from servers that report a wrong size, send short slices or know no slices', () => {
  const mailOf = (uid: number) => {
    const head = good.replaceAll('good', `mail-${uid}`)
    return uid < 4 ? `${head}\r\n${`${uid} `.repeat(700_000)}the end of ${uid}` : head
  }
  // The size that the server reports, and the bytes that it sends at most for one request.
  const servers = [
    { size: 100, longest: 512 * 1024 },
    { size: mailOf(2).length, longest: 100_000 },
    { size: 100, longest: Number.POSITIVE_INFINITY },
    { size: 5_000, longest: Number.POSITIVE_INFINITY },
  ]
  const read = (uid: number, command: string) => {
    const [, start = 0, length = 0] = (/BODY\.PEEK\[\]<(\d+)\.(\d+)>/.exec(command) ?? []).map(Number)
    const longest = servers[uid - 1]?.longest ?? 0
    const [from, to] = Number.isFinite(longest) ? [start, start + Math.min(length, longest)] : [0, longest]
    return `* ${uid} FETCH (UID ${uid} BODY[]<${from}> ${literal(mailOf(uid).slice(from, to))})\r\n`
  }
  const script = folderOf('1 2 3 4', read, (uid) => servers[uid - 1]?.size ?? 0)
  return withServer(script, async ({ inbox }) => {
    const mails = async () => (await inbox.mailsOf()).filter(({ status }: Mail) => status === 'processed')
    await expect.poll(async () => (await mails()).length).toBe(4)
    for (const { _id, subject } of (await mails()) as Mail[]) {
      const raw = await rawOf(inbox, _id)
      expect(raw === mailOf(Number(subject.slice(-1))), subject).toBe(true)
    }
  })
})
