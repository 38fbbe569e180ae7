// `npm run bench commands`: the commands that each operation sends to MongoDB. It takes no time, so a busy machine
// does not change its figures.
import { parseArgs } from 'node:util'
import { operations } from '@crmkit/core'
import { startCountedService } from '../test/support/count-commands.ts'
import { startMongoSet } from '../test/support/mongo-set.ts'
import { startRedis } from '../test/support/redis-server.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({ options: { only: { type: 'string' } } })
/** Ids of operations, comma separated; all by default. */
const only = options.only?.split(',')

const [set, redis] = [await startMongoSet({ members: 1 }), await startRedis()]
const service = await startCountedService({ databaseUrl: set.url, redisUrl: redis.url })
const figures: Record<string, Record<string, number | string>> = {}
for (const operation of operations) {
  // A stream does not end.
  if ('isStream' in operation || only?.includes(operation.id) === false) continue
  const commands = await service.commandsOf(operation.id)
  figures[operation.id] = { commands: commands.length, names: commands.join(', ') }
  process.stderr.write(`${operation.id}: ${commands.length}\n`)
}
printFigures('commands', figures, { database: 'MongoDB, set of one' })

await service.stop()
await redis.stop()
await set.stop()
