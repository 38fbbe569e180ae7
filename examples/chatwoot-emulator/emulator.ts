// Chatwoot on this machine, with made-up records: `npm run example chatwoot-emulator -- --conversations 500 --port 4040`.
import { parseArgs } from 'node:util'
import { startEmulator } from './src/start-emulator.ts'

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: { port: { type: 'string', default: '4040' }, conversations: { type: 'string', default: '100' } },
})
const emulator = await startEmulator({
  conversations: Number(values.conversations),
  port: Number(values.port),
})
process.stdout.write(
  `${[
    `Chatwoot emulator on ${emulator.url}`,
    `CRM_CONNECTOR_HOSTS=${emulator.host} CRM_MIGRATE_TOKEN=${emulator.token}`,
    `npm run crm -- migrate chatwoot from-chatwoot --url ${emulator.url} --account ${emulator.accountId}`,
  ].join('\n')}\n`,
)
process.once('SIGINT', () => void emulator.close())
process.once('SIGTERM', () => void emulator.close())
