// Zendesk on this machine, with made-up records: `npm run example zendesk-emulator -- --tickets 5000 --port 4030`.
import { parseArgs } from 'node:util'
import { startEmulator } from './src/start-emulator.ts'

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    port: { type: 'string', default: '4030' },
    tickets: { type: 'string', default: '100' },
    latency: { type: 'string', default: '0' },
  },
})
const emulator = await startEmulator({
  tickets: Number(values.tickets),
  port: Number(values.port),
  latencyMs: Number(values.latency),
  exports: { max: 10, windowMs: 60_000 },
})
process.stdout.write(
  `${[
    `Zendesk emulator on ${emulator.url}`,
    `CRM_CONNECTOR_HOSTS=${emulator.hosts} CRM_MIGRATE_TOKEN=${emulator.apiToken}`,
    `npm run crm -- migrate zendesk from-zendesk --url ${emulator.url} --email ${emulator.email}`,
  ].join('\n')}\n`,
)
process.once('SIGINT', () => void emulator.close())
process.once('SIGTERM', () => void emulator.close())
