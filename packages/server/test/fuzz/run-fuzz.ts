// `npm run fuzz`: requests generated from the OpenAPI document, against a server of its own.
import { parseArgs } from 'node:util'
import { runFuzz } from './fuzz-run.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '180' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})

const report = await runFuzz({ seed: Number(values.seed), seconds: Number(values.seconds) })
const { findings, ...figures } = report
if (findings) process.stderr.write(findings)
process.stdout.write(`${JSON.stringify({ ...figures, hasFindings: findings !== '' })}\n`)
if (findings || report.serverErrors.length > 0 || !report.isAlive) process.exitCode = 1
