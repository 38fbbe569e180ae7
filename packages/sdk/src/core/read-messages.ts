/** One block of a stream of server-sent events. `data` is undefined where the block holds none. */
export interface ServerMessage {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string | undefined
}

/**
 * Splits a stream of bytes into blocks. An incomplete block at the end is dropped: the service sends its event again
 * after a reconnection.
 */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerMessage, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let lines: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const parts = decoder.decode(value, { stream: true }).split('\n')
      parts[0] = rest + parts[0]
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const line = part.endsWith('\r') ? part.slice(0, -1) : part
        if (line !== '') {
          lines.push(line)
          continue
        }
        yield messageOf(lines)
        lines = []
      }
    }
  } finally {
    // Close the connection, even if the caller stops reading early.
    await reader.cancel().catch(() => {})
  }
}

function messageOf(lines: readonly string[]): ServerMessage {
  const valuesOf = (name: string): string[] =>
    lines
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
  const data = valuesOf('data')
  return {
    id: valuesOf('id').at(-1),
    event: valuesOf('event').at(-1),
    data: data.length > 0 ? data.join('\n') : undefined,
  }
}
