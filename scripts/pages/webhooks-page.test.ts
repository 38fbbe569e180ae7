import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { defaultRetryPolicy, eventTypes, retryDelayMs } from '../../packages/core/src/index.ts'
import { signStandardWebhook, signWebhookBody } from '../../packages/core/src/signing/index.ts'
import { makeEvent, signedDelivery } from '../../packages/sdk/src/testing/index.ts'
import { findLastingPort } from '../../packages/server/test/support/free-port.ts'
import { codeBlocks, readPage, root } from './page.ts'

const page = readPage('docs/webhooks.md')
const folder = mkdtempSync(join(tmpdir(), 'crmkit-receivers-'))
const secret = 'whsec_dGVzdHMgb25seSwgbmV2ZXIgaW4gcHJvZHVjdGlvbiE='
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A value of the table of test vectors. */
function vector(name: string): string {
  const section = page.slice(page.indexOf('### Test vectors'))
  const row = section.split('\n').find((line) => line.startsWith(`| ${name} | \``))
  return row?.slice(`| ${name} | \``.length, -'` |'.length) ?? ''
}

describe('the test vectors of docs/webhooks.md', () => {
  const [key, id, timestamp, body] = ['secret', '`webhook-id`', '`webhook-timestamp`', 'body'].map(vector)

  it('are signatures that the service makes', async () => {
    const signed = { id: id ?? '', timestamp: Number(timestamp), body: body ?? '' }
    expect(await signStandardWebhook(signed, key ?? '')).toBe(vector('`webhook-signature`'))
    expect(await signWebhookBody(body ?? '', key ?? '')).toBe(vector('`X-Webhook-Signature`'))
  })

  it('are repeated by the two openssl commands', () => {
    const commands = codeBlocks(page, 'console').flatMap((block) => block.split(/^\$ /m).slice(1))
    const env = { ...process.env, SECRET: key, ID: id, TIMESTAMP: timestamp, BODY: body }
    const [hex = '', base64 = ''] = commands.map((command) =>
      execFileSync('sh', ['-c', command], { env, encoding: 'utf8' }).trim(),
    )
    expect(`sha256=${hex.split(' ').at(-1)}`).toBe(vector('`X-Webhook-Signature`'))
    expect(`v1,${base64}`).toBe(vector('`webhook-signature`'))
  })
})

describe('the table of retries', () => {
  const seconds = (text: string) => {
    const [, minutes = '0'] = /(\d+) min/.exec(text) ?? []
    const [, rest = '0'] = /(\d+) s/.exec(text) ?? []
    return Number(minutes) * 60 + Number(rest)
  }
  const rows = [...page.matchAll(/^\| (\d+)(?: \(default\))? \| (.*) \| (.*) \|$/gm)]

  it('says for 0 to 10 retries when the last attempt starts', () => {
    expect(rows.map(([, retries]) => Number(retries))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    for (const [, retries, exponential = '', linear = ''] of rows) {
      const maxRetries = Number(retries)
      const last = (backoffStrategy: 'exponential' | 'linear') =>
        Array.from(
          { length: maxRetries },
          (_, index) => retryDelayMs({ maxRetries, backoffStrategy }, index + 1) ?? 0,
        ).reduce((sum, waitMs) => sum + waitMs, 0) / 1000
      expect([seconds(exponential), seconds(linear)]).toEqual([last('exponential'), last('linear')])
    }
  })

  it('marks the default, and the text says when it ends', () => {
    expect(page).toContain(`| ${defaultRetryPolicy.maxRetries} (default) | 14 s |`)
    expect(page).toMatch(/The default of 3 retries ends 14 seconds after the first attempt/)
  })
})

it('docs/reference/events.md has a sample of every type of event', () => {
  const samples = codeBlocks(readPage('docs/reference/events.md'), 'json').map((text) => JSON.parse(text))
  expect(samples.map(({ event }) => event)).toEqual([...eventTypes, 'webhook.test'])
})

interface Language {
  readonly name: string
  readonly fence: string
  readonly file: string
  /** A command that fails on a machine without the language. */
  readonly probe: readonly [string, ...string[]]
  /** The command that starts the receiver, after the optional compilation. */
  readonly start: (port: number) => readonly [string, ...string[]]
  readonly compile?: readonly [string, ...string[]]
}

const languages: readonly Language[] = [
  {
    name: 'JavaScript',
    fence: 'js',
    file: 'receiver.mjs',
    probe: ['node', '--version'],
    start: () => ['node', '--conditions=@crmkit/source', 'receiver.mjs'],
  },
  {
    name: 'Python',
    fence: 'python',
    file: 'receiver.py',
    probe: ['python3', '--version'],
    start: () => ['python3', 'receiver.py'],
  },
  {
    name: 'Go',
    fence: 'go',
    file: 'receiver.go',
    probe: ['go', 'version'],
    compile: ['go', 'build', '-o', 'receiver-go', 'receiver.go'],
    start: () => ['./receiver-go'],
  },
  {
    name: 'PHP',
    fence: 'php',
    file: 'receiver.php',
    probe: ['php', '--version'],
    start: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
  {
    name: 'Ruby',
    fence: 'ruby',
    file: 'receiver.rb',
    probe: ['ruby', '-rwebrick', '-e', '1'],
    start: () => ['ruby', 'receiver.rb'],
  },
  {
    name: 'C#',
    fence: 'csharp',
    file: 'Receiver.cs',
    // The .NET SDK needs a project file and minutes for its first build; Mono compiles the one file.
    probe: ['mcs', '--version'],
    compile: ['mcs', '-langversion:latest', 'Receiver.cs'],
    start: () => ['mono', 'Receiver.exe'],
  },
  {
    name: 'Java',
    fence: 'java',
    file: 'Receiver.java',
    probe: ['javac', '-version'],
    start: () => ['java', 'Receiver.java'],
  },
]

interface Receiver {
  readonly process: ChildProcess
  readonly url: string
  readonly output: () => string
}

async function startReceiver({ fence, file, compile, start }: Language): Promise<Receiver> {
  // Inside a package for JavaScript alone: there the name of the SDK is found.
  const cwd = fence === 'js' ? mkdtempSync(join(root, 'packages/cli/test/tmp-receiver-')) : folder
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(cwd, file), codeBlocks(page, fence)[0] ?? '')
  if (compile) execFileSync(compile[0], compile.slice(1), { cwd, env: { ...process.env, CGO_ENABLED: '0' } })
  const port = await findLastingPort()
  const [command, ...args] = start(port)
  const env = { ...process.env, CRM_WEBHOOK_SECRET: secret, PORT: String(port) }
  const child = spawn(command, args, { cwd, env })
  let output = ''
  const collect = (text: Buffer) => {
    output += text
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  child.once('exit', () => {
    if (fence === 'js') rmSync(cwd, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}/hook`
  // The programs do not announce their port: the first response says that it is open.
  await expect
    .poll(() =>
      fetch(url, { method: 'POST' }).then(
        () => 'open',
        () => output,
      ),
    )
    .toBe('open')
  return { process: child, url, output: () => output }
}

describe.each(languages)('the receiver in $name', (language) => {
  const isHere = spawnSync(language.probe[0], language.probe.slice(1)).status === 0
  if (!isHere)
    process.stderr.write(
      `left out: the receiver in ${language.name}: ${language.probe[0]} is not installed\n`,
    )

  it.skipIf(!isHere)(
    'accepts what the service signs, refuses everything else, and survives each refusal',
    async () => {
      const receiver = await startReceiver(language)
      const post = async ({ body, headers }: { body?: string; headers: Record<string, string> }) =>
        (await fetch(receiver.url, { method: 'POST', headers, ...(body !== undefined && { body }) })).status
      const event = makeEvent('customer.created', { data: { profile: { firstName: 'Zoë' } } })
      const signed = await signedDelivery(event, { secret })
      const { body } = signed
      const headers = { ...signed.headers }
      const old = await signedDelivery(event, { secret, now: () => Date.now() - 301_000 })
      const early = await signedDelivery(event, { secret, now: () => Date.now() + 310_000 })
      const rotating = await signedDelivery(event, { secret: [vector('secret'), secret] })
      const unsigned = { 'content-type': 'application/json' }
      const { 'webhook-timestamp': _timestamp, ...undated } = headers
      const refused = {
        unsigned: await post({ body, headers: unsigned }),
        empty: await post({ headers: unsigned }),
        undated: await post({ body, headers: undated }),
        changed: await post({ body: body.replace('Zoë', 'Zoe'), headers }),
        otherId: await post({ body, headers: { ...headers, 'webhook-id': 'evt_other' } }),
        noNumber: await post({ body, headers: { ...headers, 'webhook-timestamp': 'yesterday' } }),
        otherSecret: await post(await signedDelivery(event, { secret: vector('secret') })),
        old: await post({ body, headers: { ...old.headers } }),
        early: await post({ body, headers: { ...early.headers } }),
      }
      expect([...new Set(Object.values(refused))], JSON.stringify(refused)).toEqual([400])
      expect(await post({ body, headers }), receiver.output()).toBe(200)
      expect(await post({ body, headers: { ...rotating.headers } })).toBe(200)
      await expect.poll(receiver.output).toContain(event.id)
      const ended = once(receiver.process, 'exit')
      receiver.process.kill('SIGKILL')
      await ended
    },
    // Go compiles its library for its first program on a machine.
    300_000,
  )
})
