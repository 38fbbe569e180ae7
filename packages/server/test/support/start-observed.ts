import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { startNodeProgram } from './programs.ts'

const source = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Starts a server on new data for one test, with a module of this folder that reports on stderr what the process does. */
export async function startObserved(reporter: string) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-observed-'))
  const server = await startNodeProgram({
    file: source('../../src/main/crm-server.ts'),
    args: ['start', '--dev'],
    env: { PORT: '0', CRM_DATA_DIR: dataDir, CRM_LOG_LEVEL: 'error' },
    nodeArgs: ['--import', source(`./${reporter}`)],
  })
  onTestFinished(async () => {
    await server.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  return server
}
