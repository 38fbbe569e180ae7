import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Linux only. A thread that ends meanwhile is one that still ran. */
function areAllThreadsStopped(pid: number): boolean {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.every((thread) => {
    if (!existsSync(`/proc/${pid}/task/${thread}/status`)) return false
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')
    return /^State:\tT/m.test(status)
  })
}

/**
 * SIGSTOP. Resolves when every thread stands still: a busy machine lets them run on for a while, and what they still
 * reply to looks as if nothing had been paused.
 */
export async function pauseProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  if (process.platform !== 'linux') return
  while (!areAllThreadsStopped(pid)) await nextTurn()
}
