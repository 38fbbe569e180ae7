import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { type Program, serverProgram, startProgram } from '../../support/programs.ts'

/** A server of its own that can be killed and started again on the same data, at the same port. */
export async function startKillable(name: string, environment: Record<string, string> = {}) {
  const dataDir = await mkdtemp(path.join(tmpdir(), `crmkit-${name}-`))
  const variables = {
    PORT: '0',
    CRM_DATA_DIR: dataDir,
    CRM_LOG_LEVEL: 'error',
    CRM_RATE_LIMITS: 'off',
    ...environment,
  }
  let server: Program = await startProgram(serverProgram, ['start'], variables)
  const { port } = new URL(server.url)
  onTestFinished(async () => {
    await server.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  const kill = () => server.kill('SIGKILL')
  const restart = async () => {
    server = await startProgram(serverProgram, ['start'], { ...variables, PORT: port })
  }
  return {
    url: server.url,
    kill,
    restart,
    async killAndRestart() {
      await kill()
      await restart()
    },
  }
}
