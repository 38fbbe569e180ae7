import { connect, createServer, type Socket } from 'node:net'

/** A connection to a server that a test can cut. */
export interface CuttableProxy {
  port: number
  /** Breaks every connection, and this many of the next attempts to connect. */
  cut(refusals: number): void
  /** Lets nothing through on any existing connection, without an error; new connections work. */
  silence(): void
  stop(): void
}

export async function startProxy(target: { host: string; port: number }): Promise<CuttableProxy> {
  const sockets = new Set<Socket>()
  let refusalsLeft = 0

  function join(from: Socket, to: Socket): void {
    sockets.add(from)
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    from.pipe(to)
  }

  const server = createServer((inward) => {
    if (refusalsLeft > 0) {
      refusalsLeft -= 1
      inward.destroy()
      return
    }
    const outward = connect(target)
    join(inward, outward)
    join(outward, inward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const all = (action: (socket: Socket) => void) => {
    for (const socket of sockets) action(socket)
  }
  const breakAll = () => all((socket) => socket.destroy())
  return {
    port,
    cut(refusals) {
      refusalsLeft = refusals
      breakAll()
    },
    silence: () => all((socket) => void socket.unpipe().resume()),
    stop() {
      breakAll()
      server.close()
    },
  }
}
