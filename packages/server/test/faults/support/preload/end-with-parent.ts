import { isMainThread } from 'node:worker_threads'

const everyMs = 500

/** Ends the server with its parent: a run that failed or was killed leaves no server behind. */
export function endWithParent(): void {
  if (!isMainThread) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }, everyMs).unref()
}
