// Loaded with `--import`: reports how large the young generation of the main thread is, for as long as the process runs.
import { getHeapSpaceStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

function report(): void {
  const found = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  process.stderr.write(`young generation ${Math.round((found?.space_size ?? 0) / 2 ** 20)} MiB\n`)
}

if (isMainThread) setInterval(report, 500).unref()
