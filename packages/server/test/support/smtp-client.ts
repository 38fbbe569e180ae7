import { connect } from 'node:net'

/** A client of the tests' own, which sends exactly what they say. */
interface SmtpClient {
  /** The first response, of the server on its own. */
  readonly greeting: string
  /** Sends a line and returns the response, its last line. */
  say(line: string): Promise<string>
  /** Sends bytes as they are. */
  write(bytes: string | Uint8Array): void
  /** Returns the next response. */
  response(): Promise<string>
  readonly closed: Promise<void>
  end(): void
  destroy(): void
}

/** `from`: the address of this machine that the connection comes from. */
export async function openSmtp(url: string, { from }: { from?: string } = {}): Promise<SmtpClient> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, localAddress: from })
  let text = ''
  const responses: string[] = []
  const waiting: ((response: string) => void)[] = []
  const read = (chunk: string) => {
    text += chunk
    for (;;) {
      const [whole, last = ''] = /^(?:\d{3}-.*\r\n)*(\d{3} .*)\r\n/.exec(text) ?? []
      if (whole === undefined) return
      text = text.slice(whole.length)
      const next = waiting.shift()
      if (next === undefined) responses.push(last)
      else next(last)
    }
  }
  const closed = Promise.withResolvers<void>()
  socket.setEncoding('utf8').on('data', read)
  socket.on('error', () => undefined).on('close', () => closed.resolve())
  const response = () => {
    const first = responses.shift()
    return first === undefined
      ? new Promise<string>((resolve) => waiting.push(resolve))
      : Promise.resolve(first)
  }
  const ended = closed.promise.then(() => Promise.reject(new Error('The connection has ended')))
  const greeting = await Promise.race([response(), ended])
  return {
    greeting,
    say(line) {
      socket.write(`${line}\r\n`)
      return response()
    },
    write: (bytes) => {
      socket.write(bytes)
    },
    response,
    closed: closed.promise,
    end: () => {
      socket.end()
    },
    destroy: () => {
      socket.destroy()
    },
  }
}
