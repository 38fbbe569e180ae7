// Intercom on this machine, with made-up records: `npm run example intercom-emulator -- --conversations 500 --port 4050`.
import { parseArgs } from 'node:util'
import { startEmulator } from './src/start-emulator.ts'

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: { port: { type: 'string', default: '4050' }, conversations: { type: 'string', default: '100' } },
})
const emulator = await startEmulator({
  conversations: Number(values.conversations),
  port: Number(values.port),
})
process.stdout.write(
  `${[
    `Intercom emulator on ${emulator.url}`,
    `CRM_CONNECTOR_HOSTS=${emulator.hosts} CRM_MIGRATE_TOKEN=${emulator.token}`,
    `npm run crm -- migrate intercom from-intercom --url ${emulator.url}`,
  ].join('\n')}\n`,
)
process.once('SIGINT', () => void emulator.close())
process.once('SIGTERM', () => void emulator.close())
