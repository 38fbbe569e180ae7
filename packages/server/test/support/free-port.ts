import { createServer } from 'node:net'

// Below the ports that systems give to outgoing connections: no other program takes the port while its server is
// down.
const portMin = 20_000
const portMax = 32_000

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** A port for a server that returns under the same address after its end. */
export async function findLastingPort(): Promise<number> {
  for (;;) {
    const port = portMin + Math.floor(Math.random() * (portMax - portMin))
    if (await isFree(port)) return port
  }
}
