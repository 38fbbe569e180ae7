// `npm run clients -- python FOLDER` makes a client of openapi.json in a folder. `npm run clients` makes those of all languages
// of clients/ in a temporary folder, and takes the journey of clients/journey.json with each against a service;
// `npm run clients -- python` those of one language.
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Crm } from '../packages/sdk/src/index.ts'
import { type Command, type Language, languages } from './clients/languages.ts'
import { type Call, differencesOf } from './clients/transcript.ts'
import { ends, runDemo, say, startServer } from './demo/demo-world.ts'
import { execute, type Output, runSideBySide, type Step } from './run-steps.ts'

/** For what hangs. */
const timeoutMs = 600_000

const [name, folder] = process.argv.slice(2)
const chosen = languages.filter((language) => name === undefined || language.name === name)

if (chosen.length === 0) {
  process.stderr.write(`Which language? ${languages.map((language) => language.name).join(', ')}\n`)
  process.exitCode = 1
} else if (folder !== undefined) {
  process.exitCode = await makeClient(chosen[0] as Language, resolve(folder))
} else {
  await runDemo(async () => {
    if ((await takeJourneys(runnable(chosen))) !== 0) throw new Error('A generated client differs')
  })
}

/** The languages that this machine has. CI must have them all. */
function runnable(all: readonly Language[]): Language[] {
  return all.filter(({ name, needs }) => {
    const missing = needs.filter(([program, ...args]) => spawnSync(program, args).status !== 0)
    const programs = missing.map(([program]) => program).join(' and ')
    if (missing.length > 0 && process.env['CI'] === 'true') throw new Error(`${name}: CI needs ${programs}`)
    if (missing.length > 0) process.stderr.write(`left out: the client for ${name}: needs ${programs}\n`)
    return missing.length === 0
  })
}

/** Makes the client of a language in a copy of its folder. */
async function makeClient({ name, generate }: Language, to: string, output?: Output): Promise<number> {
  mkdirSync(to, { recursive: true })
  cpSync(join('clients', name), to, { recursive: true })
  copyFileSync('openapi.json', join(to, 'openapi.json'))
  return runAll(generate, { cwd: to, output })
}

async function runAll(
  commands: readonly Command[],
  options: Parameters<typeof execute>[2] & object,
): Promise<number> {
  for (const [program, ...args] of commands) {
    const code = await execute(program, args, { ...options, timeout: timeoutMs })
    if (code !== 0) return code
  }
  return 0
}

async function takeJourneys(all: readonly Language[]): Promise<number> {
  const url = await startServer({ CRM_WEBHOOK_ALLOW_HTTP: '1' })
  const folder = mkdtempSync(join(tmpdir(), 'crmkit-clients-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const journey = JSON.parse(readFileSync('clients/journey.json', 'utf8')) as Call[]
  const stepOf = (language: Language): Step => ({
    name: `journey with the generated client for ${language.name}`,
    run: async (output) => {
      const to = join(folder, language.name)
      const code = await makeClient(language, to, output)
      return code === 0 ? takeJourney(language, { to, url, journey, output }) : code
    },
  })
  const code = await runSideBySide(all.map(stepOf))
  if (code === 0) say(`${all.length} clients, ${journey.length} calls and a verified webhook each`)
  return code
}

interface Journey {
  readonly to: string
  readonly url: string
  readonly journey: readonly Call[]
  readonly output: Output | undefined
}

async function takeJourney(language: Language, { to, url, journey, output }: Journey): Promise<number> {
  const owner = { email: `${language.name}@example.com`, password: 'a password for the journey' }
  await new Crm({ baseUrl: url }).auth.register({ tenantName: 'Engines', ...owner })
  let printed = ''
  const code = await runAll(language.journey, {
    cwd: to,
    env: { ...process.env, CRM_BASE_URL: url, CRM_EMAIL: owner.email, CRM_PASSWORD: owner.password },
    output: (chunk) => {
      printed += String(chunk)
      output?.(chunk)
    },
  })
  if (code !== 0) return code
  const differences = differencesOf(printed, journey)
  output?.(differences.map((difference) => `${difference}\n`).join(''))
  return differences.length === 0 ? 0 : 1
}
