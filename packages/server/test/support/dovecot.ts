import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectTcp } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { findLastingPort } from './free-port.ts'
import type { TestCertificate } from './https-receiver.ts'

export interface Dovecot {
  /** IMAP with STARTTLS, and with TLS from the first byte. */
  readonly ports: { starttls: number; tls: number }
  /** The one with TLS from the first byte. */
  readonly port: number
  /** Puts a mail into a folder, as a mail server does when it arrives. Returns its UID. */
  append(user: string, raw: string | Buffer, options?: { folder?: string; at?: Date }): Promise<number>
  /** The same for many mails in one session. */
  appendAll(user: string, raws: readonly string[]): Promise<void>
  /** Returns the response to one command about the folder, which it opens. */
  ask(user: string, command: string, folder?: string): Promise<string>
  create(user: string, folder: string): Promise<void>
  /** Moves all mails into a new folder of the same name, whose UIDVALIDITY differs. */
  renewFolder(user: string, folder: string): Promise<void>
  /** The lines of its log so far, such as its sign-ins. */
  log(): readonly string[]
  /** Ends it, and leaves the mail. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends it and removes its files. */
  stop(): Promise<void>
}

/** The password of every user. */
export const dovecotPassword = 'correct-horse-battery'

/** The program that `CRM_TEST_DOVECOT_BINARY` names, with settings, ports and mail of its own; every user exists. */
export async function startDovecot(
  certificate: TestCertificate,
  { introspectionUrl }: { introspectionUrl?: string } = {},
): Promise<Dovecot> {
  const program = process.env['CRM_TEST_DOVECOT_BINARY']
  if (!program) throw new Error('CRM_TEST_DOVECOT_BINARY must name the program')
  const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-dovecot-'))
  const ports = { starttls: await findLastingPort(), tls: await findLastingPort() }
  const file = (name: string) => path.join(directory, name)
  writeFileSync(file('cert.pem'), certificate.cert)
  writeFileSync(file('key.pem'), certificate.key, { mode: 0o600 })
  mkdirSync(file('mail'))
  const owner = mailOwner()
  chmodSync(directory, 0o755)
  chownSync(file('mail'), owner.uid, owner.gid)
  writeFileSync(file('dovecot.conf'), configuration({ directory, ports, owner, introspectionUrl }))
  if (introspectionUrl !== undefined)
    writeFileSync(
      file('oauth2.conf'),
      `introspection_url = ${introspectionUrl}\nusername_attribute = email\n`,
    )
  let child: ChildProcess | undefined
  const log = () => readFileSync(file('log'), 'utf8').split('\n')

  async function start(): Promise<void> {
    child = spawn(program ?? '', ['-F', '-c', file('dovecot.conf')], { stdio: 'ignore' })
    while (!(await isListening(ports.tls))) {
      if (child.exitCode !== null) throw new Error(`dovecot did not start: ${log().join('\n')}`)
    }
  }

  async function kill(): Promise<void> {
    if (child === undefined) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    child = undefined
  }

  const open = async (user: string) => {
    const session = await openSession(ports.tls, certificate.cert)
    await session.ask(`LOGIN "${user}" "${dovecotPassword}"`)
    return session
  }

  await start()
  return {
    ports,
    port: ports.tls,
    async append(user, raw, { folder = 'INBOX', at } = {}) {
      const session = await open(user)
      const bytes = Buffer.from(raw)
      const date = at === undefined ? '' : ` "${imapDate(at)}"`
      const said = await session.ask(`APPEND "${folder}"${date} {${bytes.length}+}\r\n`, bytes)
      session.end()
      return Number(/APPENDUID \d+ (\d+)/.exec(said)?.[1])
    },
    async appendAll(user, raws) {
      const session = await open(user)
      for (const raw of raws) {
        const bytes = Buffer.from(raw)
        await session.ask(`APPEND "INBOX" {${bytes.length}+}\r\n`, bytes)
      }
      session.end()
    },
    async ask(user, command, folder = 'INBOX') {
      const session = await open(user)
      await session.ask(`EXAMINE "${folder}"`)
      const said = await session.ask(command)
      session.end()
      return said
    },
    async create(user, folder) {
      const session = await open(user)
      await session.ask(`CREATE "${folder}"`)
      session.end()
    },
    async renewFolder(user, folder) {
      const session = await open(user)
      await session.ask(`RENAME "${folder}" "before"`)
      await session.ask(`CREATE "${folder}"`)
      await session.ask('SELECT "before"')
      await session.ask(`COPY 1:* "${folder}"`)
      session.end()
    },
    log,
    kill,
    start,
    async stop() {
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

interface Settings {
  directory: string
  ports: Dovecot['ports']
  owner: { name: string; uid: number; gid: number }
  /** Says whom an access token belongs to; undefined: people sign in with a password alone. */
  introspectionUrl: string | undefined
}

/** The user with the mail: dovecot never reads mail as root. */
function mailOwner(): Settings['owner'] {
  const { username: name, uid, gid } = userInfo()
  if (uid !== 0) return { name, uid, gid }
  const [, , nobody = '65534', group = '65534'] =
    /^nobody:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0].split(':') ?? []
  return { name: 'nobody', uid: Number(nobody), gid: Number(group) }
}

function configuration({ directory, ports, owner, introspectionUrl }: Settings): string {
  const oauth =
    introspectionUrl === undefined
      ? ''
      : `
auth_mechanisms = plain xoauth2 oauthbearer
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${directory}/oauth2.conf
}
`
  return `
base_dir = ${directory}/run
log_path = ${directory}/log
protocols = imap
listen = 127.0.0.1
default_login_user = ${owner.name}
default_internal_user = ${owner.name}
default_internal_group = ${owner.gid === 65534 ? 'nogroup' : owner.gid}
first_valid_uid = 1
first_valid_gid = 1
mail_uid = ${owner.uid}
mail_gid = ${owner.gid}
mail_location = maildir:${directory}/mail/%u
mail_log_prefix = "%s(%u): "
ssl = required
ssl_cert = <${directory}/cert.pem
ssl_key = <${directory}/key.pem
ssl_min_protocol = TLSv1.2
auth_failure_delay = 0
mail_max_userip_connections = 100
# Sign-ins from one address are not slowed down by the refused ones of another test.
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${ports.starttls}
  }
  inet_listener imaps {
    port = ${ports.tls}
  }
}
${oauth}passdb {
  driver = static
  mechanisms = plain login
  args = password=${dovecotPassword}
}
userdb {
  driver = static
  args = home=${directory}/mail/%u
}
`
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => setTimeout(resolve, 20, false))
  })
}

function imapDate(date: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString()) ?? []
  return `${day}-${month}-${year} ${time} +0000`
}

interface Session {
  ask(command: string, bytes?: Buffer): Promise<string>
  end(): void
}

/** A client of the tests' own, which says exactly what they mean. */
async function openSession(port: number, ca: string): Promise<Session> {
  const socket: TLSSocket = connectTls({ port, host: '127.0.0.1', ca, servername: 'localhost' })
  let text = ''
  let settle: (() => void) | undefined
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
    settle?.()
  })
  let failed: Error | undefined
  socket.on('error', (error) => {
    failed = error
    settle?.()
  })
  let count = 0
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      settle = () => {
        if (failed) return reject(failed)
        if (pattern.test(text)) {
          settle = undefined
          resolve(text)
        }
      }
      settle()
    })
  await until(/^\* OK/)
  return {
    async ask(command, bytes) {
      count += 1
      text = ''
      socket.write(`t${count} ${command}${bytes === undefined ? '\r\n' : ''}`)
      if (bytes !== undefined) socket.write(Buffer.concat([bytes, Buffer.from('\r\n')]))
      const said = await until(new RegExp(`^t${count} .*\r\n`, 'm'))
      if (!new RegExp(`^t${count} OK`, 'm').test(said)) throw new Error(said)
      return said
    },
    end: () => socket.end('z LOGOUT\r\n'),
  }
}
