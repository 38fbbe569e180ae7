// A service of the walk in a process of its own, which the walk kills. Its clock is that of the walk.
import { serve, type WorldName } from './world.ts'

const [name, folder = '', nowText, databaseUrl] = process.argv.slice(2)
const served = await serve(name as WorldName, { folder, databaseUrl }, { nowMs: Number(nowText) })

process.on('message', async (asked: { advance: number } | 'settle' | 'end') => {
  if (asked === 'settle') {
    const error = await served.settle().then(
      () => null,
      (failure: unknown) => String(failure),
    )
    process.send?.({ settled: served.now(), error })
  } else if (asked === 'end') {
    await served.end()
    process.disconnect()
  } else served.advance(asked.advance)
})
// A walk that was killed leaves no server behind.
process.on('disconnect', () => process.exit())
process.send?.({ url: served.url })
