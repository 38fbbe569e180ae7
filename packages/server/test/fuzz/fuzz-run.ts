import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { call, password } from '../support/call.ts'
import { type Program, serverProgram, startProgram } from '../support/programs.ts'

export interface FuzzReport {
  seed: number
  /** The number of generated requests. */
  cases: number
  /** The report of the fuzzer; empty when it found nothing. */
  findings: string
  /** The errors and warnings in the server's log, line by line. */
  serverErrors: readonly string[]
  /** A dead server gives no wrong response: it must have lived to the end. */
  isAlive: boolean
}

/**
 * The checks of every response. The fuzzer does not check that every request which breaks the document is refused: a
 * blank text where no value is allowed counts as none (contract 1), which no schema of a date or an enum can say.
 */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'allow_header_conformance',
  'use_after_free',
  'ignored_auth',
]

/** Operations that would end the session of the fuzzer itself, or that never end. */
const excluded = ['auth_logout', 'auth_changePassword', 'events_stream']

/**
 * Lets schemathesis generate requests from the service's own document, for this many seconds, against a server of its
 * own.
 */
export async function runFuzz({ seed, seconds }: { seed: number; seconds: number }): Promise<FuzzReport> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-fuzz-'))
  const server = await startProgram(serverProgram, ['start', '--dev'], {
    PORT: '0',
    CRM_DATA_DIR: dataDir,
    CRM_LOG_LEVEL: 'error',
    CRM_RATE_LIMITS: 'off',
  })
  try {
    const token = await register(server)
    const document = path.join(dataDir, 'spec.json')
    const spec = await call(server.url, { method: 'GET', path: '/api-docs/spec.json', token })
    writeFileSync(document, JSON.stringify(spec.body))
    const { code, output } = await runSchemathesis(dataDir, [
      'run',
      document,
      '--url',
      server.url,
      '--header',
      `Authorization: Bearer ${token}`,
      '--phases',
      'examples,coverage,fuzzing,stateful',
      '--seed',
      String(seed),
      '--max-time',
      String(seconds),
      '--checks',
      checks.join(','),
      ...excluded.flatMap((id) => ['--exclude-operation-id', id]),
      '--no-color',
      '--warnings',
      'off',
      '--generation-database',
      ':memory:',
    ])
    const health = await call(server.url, { method: 'GET', path: '/api/v1/health' }).catch(() => undefined)
    const serverErrors = server
      .stderr()
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line))
    return {
      seed,
      cases: Number(/(\d+) generated/.exec(output)?.[1] ?? 0),
      findings: code === 0 ? '' : output,
      serverErrors,
      isAlive: health?.status === 200,
    }
  } finally {
    await server.kill('SIGTERM')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function register({ url }: Program): Promise<string> {
  const body = { tenantName: 'Fuzz', email: 'owner@example.com', password }
  const registered = await call(url, { method: 'POST', path: '/api/auth/register', body })
  return registered.body.data.accessToken
}

/** The fuzzer writes its notes in its working directory. */
async function runSchemathesis(
  cwd: string,
  args: string[],
): Promise<{ code: number | null; output: string }> {
  const program = process.env['CRM_TEST_SCHEMATHESIS']
  if (!program) throw new Error('CRM_TEST_SCHEMATHESIS names no schemathesis')
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const add = (text: string) => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', add)
  child.stderr.setEncoding('utf8').on('data', add)
  const [code] = await once(child, 'close')
  return { code, output }
}
