// `npm run fuzz`: requests generated from the OpenAPI document, and callbacks of the telephony provider, each against a
// server of its own; and mutated mails in the process that reads mails.
import { parseArgs } from 'node:util'
import { createMailParser } from '../../src/mail/parser-process/mail-parser.ts'
import { createRandom } from '../faults/support/random.ts'
import { fuzzCallbacks } from './callback-fuzz.ts'
import { startCallbackTarget } from './callback-target.ts'
import { runFuzz } from './fuzz-run.ts'
import { fuzzMails } from './mail-fuzz.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '180' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    callbacks: { type: 'string', default: '5000' },
    mails: { type: 'string', default: '5000' },
  },
})
const seed = Number(values.seed)

const target = await startCallbackTarget()
const random = createRandom(seed)
const callbacks = await fuzzCallbacks(target, { random, cases: Number(values.callbacks) }).finally(
  target.stop,
)
for (const fault of callbacks.faults) process.stderr.write(`${fault}\n`)

const parser = createMailParser()
const mails = await fuzzMails(parser, { random, cases: Number(values.mails) }).finally(parser.close)
for (const fault of mails.faults) process.stderr.write(`${fault}\n`)

const report = await runFuzz({ seed, seconds: Number(values.seconds) })
const { findings, ...figures } = report
if (findings) process.stderr.write(findings)
const { cases, taken, faults } = callbacks
const summary = {
  ...figures,
  hasFindings: findings !== '',
  callbacks: { cases, taken, faults: faults.length },
  mails: { ...mails, faults: mails.faults.length },
}
process.stdout.write(`${JSON.stringify(summary)}\n`)
const isWell =
  !findings && report.serverErrors.length === 0 && report.isAlive && faults.length + mails.faults.length === 0
if (!isWell) process.exitCode = 1
