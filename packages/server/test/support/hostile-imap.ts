import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:tls'
import type { TestCertificate } from './https-receiver.ts'

/**
 * Returns the text that the server writes before the tagged response; undefined for that of a usual server, null to end the
 * connection instead. One that begins with NO is the tagged response.
 */
export type ImapScript = (command: string, write: (text: string) => void) => string | null | undefined

interface HostileImap {
  port: number
  /** How often a client has signed in. */
  signIns(): number
  /** The connections that are open. */
  connections(): number
  stop(): Promise<void>
}

/** An IMAP server over TLS on this machine that responds as a test says. */
export async function startHostileImap(
  { key, cert }: TestCertificate,
  script: ImapScript,
): Promise<HostileImap> {
  const sockets = new Set<Socket>()
  let signIns = 0
  const server = createServer({ key, cert }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    const write = (text: string) => socket.writable && socket.write(text)
    write('* OK [CAPABILITY IMAP4rev1 IDLE] ready\r\n')
    let rest = ''
    let idleTag = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const [, tag = '', command = ''] = /^(\S+) ?(.*)$/.exec(line) ?? []
        if (tag === 'DONE') {
          write(`${idleTag} OK done\r\n`)
          continue
        }
        if (/^(LOGIN|AUTHENTICATE)/.test(command)) signIns += 1
        if (command === 'IDLE') idleTag = tag
        const scripted = script(command, write)
        if (scripted === null) return void socket.destroy()
        if (scripted?.startsWith('NO ')) {
          write(`${tag} ${scripted}\r\n`)
          continue
        }
        const said = scripted ?? usual(command)
        write(command === 'IDLE' ? said : `${said}${tag} OK done\r\n`)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    signIns: () => signIns,
    connections: () => sockets.size,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function usual(command: string): string {
  if (command.startsWith('CAPABILITY')) return '* CAPABILITY IMAP4rev1 IDLE\r\n'
  if (command.startsWith('LIST')) return '* LIST () "/" INBOX\r\n'
  if (command.startsWith('EXAMINE')) return '* 2 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 1] ok\r\n'
  return command === 'IDLE' ? '+ idling\r\n' : ''
}
