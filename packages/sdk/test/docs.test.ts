import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCrm } from '../../server/src/index.ts'
import { Crm } from '../src/index.ts'
import { testSecret } from '../src/testing/index.ts'

// Every snippet of docs/sdk.md and of the package's README is compiled and run, heading by heading, against a real
// server. A `console.log` line must print the text of its `//` comment.

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../../..')
const pages = ['docs/sdk.md', 'packages/sdk/README.md']
const person = { email: 'ada@example.com', password: 'correct horse battery' }

interface Snippet {
  readonly heading: string
  readonly code: string
}

function snippetsOf(page: string): Snippet[] {
  return readFileSync(join(root, page), 'utf8')
    .split(/^(?=#{1,3} )/m)
    .map((section) => ({
      heading: `${page}: ${/^#+ (.*)/.exec(section)?.[1]}`,
      code: [...section.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code).join('\n'),
    }))
    .filter(({ code }) => code !== '')
}

/** A module of its own: `crm` is there on every part of the page, as the reader has it from the first one. */
function moduleOf(code: string, baseUrl: string): string {
  const needsCrm = /\bcrm\./.test(code) && !/const crm =/.test(code)
  const hasCrm = /import \{[^}]*\bCrm\b[^}]*\} from '@crmkit\/sdk'/.test(code)
  const prelude = [
    ...(hasCrm || !/\bCrm\b|\bcrm\./.test(code) ? [] : ["import { Crm } from '@crmkit/sdk'"]),
    ...(needsCrm
      ? ["const crm = new Crm({ baseUrl: 'https://crm.example.com', apiKey: process.env.CRM_API_KEY })"]
      : []),
  ]
  const ending = 'await new Promise((resolve) => setImmediate(resolve))\nprocess.exit(0)\nexport {}\n'
  return [...prelude, code, ending].join('\n').replaceAll('https://crm.example.com', baseUrl)
}

function expectedOutput(code: string): string[] {
  return [...code.matchAll(/^\s*console\.log\(.*\) \/\/ (.*)$/gm)].map(([, text = '']) => text)
}

const snippets = pages.flatMap(snippetsOf)
const environment: Record<string, string> = { CRM_WEBHOOK_SECRET: testSecret, PORT: '0' }
// Inside the package, so that its own name and its frameworks are found.
const folder = mkdtempSync(join(import.meta.dirname, 'tmp-docs-'))
// The static checks read every file beside the tests.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
let stop = async () => {}

beforeAll(async () => {
  const service = await createCrm({ temporary: true })
  const server = createServer(service.handler)
  await new Promise<void>((started) => server.listen(0, '127.0.0.1', started))
  stop = async () => {
    server.close()
    server.closeAllConnections()
    await service.stop()
  }
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Crm({ baseUrl }).auth.register({ tenantName: 'Engines', ...person })
  const owner = new Crm({ baseUrl, session: person })
  const key = await owner.apiKeys.create({
    name: 'docs',
    environment: 'production',
    permissions: ['read:customers', 'write:customers', 'read:conversations', 'write:conversations'],
  })
  environment['CRM_API_KEY'] = key.key
  environment['CRM_BASE_URL'] = baseUrl
  snippets.forEach(({ code }, index) => {
    writeFileSync(join(folder, `part-${index}.ts`), moduleOf(code, baseUrl))
  })
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await stop()
})

it('compiles unchanged', async () => {
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    // As strict as a new project is; a page is not the place for this repository's own strictness.
    compilerOptions: {
      composite: false,
      noEmit: true,
      noPropertyAccessFromIndexSignature: false,
      noUncheckedIndexedAccess: false,
    },
    include: ['*.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const said = await run('node', [compiler, '-p', folder]).then(
    () => '',
    ({ stdout }) => stdout,
  )
  expect(said).toBe('')
}, 120_000)

describe('prints its documented output', () => {
  it.each(snippets.map((snippet, index) => ({ ...snippet, index })))(
    '$heading',
    async ({ code, index }) => {
      const file = join(folder, `part-${index}.ts`)
      const { stdout } = await run('node', ['--conditions=@crmkit/source', file], {
        env: { ...process.env, ...environment },
      })
      const printed = stdout.split('\n')
      for (const line of expectedOutput(code)) {
        const found = printed.indexOf(line)
        expect(found, `${line} in:\n${printed.join('\n')}`).not.toBe(-1)
        printed.splice(0, found + 1)
      }
    },
    60_000,
  )
})

describe('the comparison', () => {
  const page = join(root, 'docs/sdk.md')
  const text = readFileSync(page, 'utf8')
  const links = [...text.matchAll(/^\[(\w+)\]: (\S+) "(.*)"$/gm)]

  it.each(links.map(([, name, file, title]) => ({ name, file, title })))(
    'refers with [$name] to a test that exists',
    ({ name, file = '', title = '' }) => {
      const target = readFileSync(join(dirname(page), file), 'utf8')
      expect(target.includes(`'${title}'`) || target.includes(`"${title}"`)).toBe(true)
      expect(text).toContain(`][${name}]`)
    },
  )

  it('names a test in every row', () => {
    const rows = text
      .slice(text.indexOf('## How it compares'))
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| |'))
    expect(rows.length).toBeGreaterThan(10)
    for (const row of rows) expect(row).toMatch(/^\| [^|]+ \| \[[^\]]+\]\[\w+\] \|/)
  })
})
