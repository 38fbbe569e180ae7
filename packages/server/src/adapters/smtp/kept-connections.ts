import type { Socket } from 'node:net'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailServer } from '../../ports/mail-sender.ts'

/** A server that is idle for longer may close the connection at any moment. */
const idleMs = 5_000
/** A new connection follows a changed name, certificate or trust. */
const ageMsMax = 60_000
const mailsMax = 100
const keptMax = 100

interface Kept {
  connection: SMTPConnection
  openedAt: number
  mails: number
  timer: NodeJS.Timeout
  forget: () => void
}

/** An open connection to a server, and how often it was used. */
export type OpenConnection = Pick<Kept, 'connection' | 'openedAt' | 'mails'>

/**
 * Connections whose last mail was accepted, until the next mail to the same server with the same user and password. They
 * do not keep the process running.
 */
export class KeptConnections {
  readonly #kept = new Map<string, Kept[]>()
  #count = 0

  take(server: MailServer): OpenConnection | undefined {
    const [newest] = this.#kept.get(keyOf(server))?.slice(-1) ?? []
    if (newest === undefined) return undefined
    newest.forget()
    socketOf(newest.connection)?.ref()
    return newest
  }

  /** Keeps a connection, or ends it when it is old or was used often. */
  keep(server: MailServer, { connection, openedAt, mails }: OpenConnection): void {
    const socket = socketOf(connection)
    const isOld = performance.now() - openedAt > ageMsMax || mails >= mailsMax
    if (isOld || socket === undefined || this.#count >= keptMax) {
      connection.quit()
      return
    }
    const key = keyOf(server)
    const list = this.#kept.get(key) ?? []
    const forget = () => {
      clearTimeout(kept.timer)
      connection.off('end', forget)
      const index = list.indexOf(kept)
      if (index === -1) return
      list.splice(index, 1)
      this.#count -= 1
      if (list.length === 0) this.#kept.delete(key)
    }
    const end = () => {
      forget()
      connection.quit()
    }
    const kept: Kept = { connection, openedAt, mails, timer: setTimeout(end, idleMs).unref(), forget }
    connection.on('end', forget)
    socket.unref()
    list.push(kept)
    this.#kept.set(key, list)
    this.#count += 1
  }
}

/** A password or a token is a part of it: a connection is never used for somebody who could not have opened it. */
function keyOf({ host, port, security, user, password, accessToken, isOperators }: MailServer): string {
  return JSON.stringify([host, port, security, user, password, accessToken, isOperators])
}

/** The socket of a connection; undefined once it has ended. */
export function socketOf(connection: SMTPConnection): Socket | undefined {
  const { _socket: socket } = connection as unknown as { _socket: Socket | false }
  return socket && !socket.destroyed ? socket : undefined
}
