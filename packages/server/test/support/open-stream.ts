import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

export interface StreamMessage {
  id: string
  event: string
  data: string
}

export interface OpenStream {
  status: number
  headers: IncomingMessage['headers']
  /** Everything that arrived, unchanged. */
  text(): string
  /** The ids of messages without data: the positions after which the stream would continue. */
  position(): string
  /** The messages that have arrived. */
  messages(): StreamMessage[]
  /** Resolves with the first messages when this many have arrived. */
  waitFor(count: number): Promise<StreamMessage[]>
  /** Resolves when the server has ended it. */
  ended: Promise<void>
  pause(): void
  resume(): void
  close(): void
}

interface StreamCall {
  token: string
  /** Default: the stream of the team. */
  path?: string
  query?: string
  headers?: Record<string, string>
}

/** Reads server-sent events as an HTTP client that knows nothing of our SDK. */
export async function openStream(
  url: string,
  { token, path = '/api/v1/events/stream', query = '', headers }: StreamCall,
): Promise<OpenStream> {
  const req = request(`${url}${path}?${query}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    // Each stream has a connection of its own.
    agent: false,
  })
  req.on('error', () => {})
  req.end()
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  let text = ''
  const arrived = new EventTarget()
  res.setEncoding('utf8')
  res.on('data', (chunk: string) => {
    text += chunk
    arrived.dispatchEvent(new Event('data'))
  })
  res.on('error', () => {})
  const ended = new Promise<void>((resolve) => res.on('close', resolve))
  return {
    status: res.statusCode ?? 0,
    headers: res.headers,
    text: () => text,
    position: () => /^id: (.*)$/m.exec(text)?.[1] ?? '',
    messages: () => messagesOf(text),
    async waitFor(count) {
      for (;;) {
        const messages = messagesOf(text)
        if (messages.length >= count) return messages
        await once(arrived as never, 'data')
      }
    },
    ended,
    pause: () => res.pause(),
    resume: () => res.resume(),
    close: () => req.destroy(),
  }
}

function messagesOf(text: string): StreamMessage[] {
  const blocks = text.split('\n\n').slice(0, -1)
  return blocks.flatMap((block) => {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    )
    const data = fields.get('data')
    return data === undefined ? [] : [{ id: fields.get('id') ?? '', event: fields.get('event') ?? '', data }]
  })
}
