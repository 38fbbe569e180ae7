import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signStandardWebhook } from '@crmkit/core/signing'
import { expect, it } from 'vitest'
import { startServer } from './support/real-server.ts'
import { hasPseudoTerminal, type Machine, makeMachine } from './support/run-crm.ts'

// Runs docs/cli.md in one shell on a terminal, from the first line to the last, against a real server.

const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')

interface Step {
  readonly command: string
  readonly expected: readonly string[]
  readonly code: number
}

function stepsOf(text: string): Step[] {
  const blocks = [...text.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...expected] = step.trimEnd().split('\n')
        const [, code = '0'] = /^\[exit code (\d+)\]$/.exec(expected.at(-1) ?? '') ?? []
        return {
          command,
          code: Number(code),
          expected: expected.filter((line) => !line.startsWith('[exit code')),
        }
      }),
  )
}

/** Removes ids, times and column widths, which differ between runs. */
function comparable(line: string): string {
  return line
    .replace(/\b[a-z]{3}_[0-9A-Z]{26}\b/g, '')
    .replace(/\d+ ?(?:s|sec\.|m|min\.) ago|now/g, 'now')
    .replace(/ +/g, ' ')
    .trim()
}

/** Saves a delivery as a receiver that parsed the body and serialised it again. */
async function saveDelivery(machine: Machine): Promise<string> {
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
  const body = JSON.stringify({ id: 'evt_1', event: 'customer.created', data: {} })
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = await signStandardWebhook({ id: 'evt_1', timestamp, body }, secret)
  const headers = `webhook-id: evt_1\nwebhook-timestamp: ${timestamp}\nwebhook-signature: ${signature}\n`
  const files = { 'delivery.body': JSON.stringify(JSON.parse(body), null, 2), 'delivery.headers': headers }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(machine.directory, name), text)
  return secret
}

it.skipIf(!hasPseudoTerminal)(
  'docs/cli.md works from top to bottom, as written',
  async () => {
    const baseUrl = await startServer()
    const machine = makeMachine()
    const secret = await saveDelivery(machine)
    const steps = stepsOf(page)
    expect(steps.length).toBeGreaterThan(30)
    const script = steps.map(({ command }, index) => {
      const line = command.replaceAll('http://127.0.0.1:3000', baseUrl)
      // The saved delivery belongs to another webhook, whose secret is known here.
      const before = line.includes('webhooks verify') ? `echo ${secret} > shop.secret; ` : ''
      return `echo "@@ ${index}"\n${before}${line}\necho "@@code $?"`
    })
    const env = { CRM_PASSWORD: 'correct horse battery', NO_COLOR: '1' }
    const { screen } = await machine.runInShellTerminal(script.join('\n'), { env, columns: 140 })
    const outputs = screen.split(/^@@ \d+\n/m).slice(1)
    expect(outputs).toHaveLength(steps.length)
    for (const [index, { command, expected, code }] of steps.entries()) {
      const [output = '', ended] = (outputs[index] ?? '').split('@@code ')
      expect(Number(ended), `$ ${command}\n${output}`).toBe(code)
      const lines = output.split('\n').map(comparable)
      for (const line of expected) {
        const isThere = lines.some((one) => one.includes(comparable(line)))
        expect(isThere, `"${line}" after $ ${command}, which gave:\n${output}`).toBe(true)
      }
    }
  },
  120_000,
)
