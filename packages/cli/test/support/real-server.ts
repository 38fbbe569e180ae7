import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const main = fileURLToPath(new URL('crm-server.js', process.env['CRM_TEST_PROGRAMS']))

/** Starts a server process on an empty data directory; `atEnd` registers its end, by default with the test. */
export async function startServer(
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
  variables: Readonly<Record<string, string>> = {},
  onStderr: (text: string) => void = () => undefined,
): Promise<string> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'crmkit-cli-server-'))
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    PORT: '0',
    CRM_DATA_DIR: dataDirectory,
    CRM_RATE_LIMITS: 'off',
    ...variables,
  }
  const server = spawn(process.execPath, ['--conditions=@crmkit/source', main, 'start', '--dev'], { env })
  atEnd(async () => {
    if (server.exitCode === null) {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
    rmSync(dataDirectory, { recursive: true, force: true })
  })
  let log = ''
  server.stderr.on('data', (chunk: Buffer) => {
    log += chunk
    onStderr(String(chunk))
  })
  for await (const line of createInterface({ input: server.stdout })) {
    const [baseUrl] = /http:\/\/\S+/.exec(line) ?? []
    if (baseUrl) return baseUrl
  }
  throw new Error(`The server did not start:\n${log}`)
}
