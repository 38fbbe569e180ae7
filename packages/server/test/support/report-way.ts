// Runs within a server of a test or a bench: counts the calls of each function between the arrival of a request and the
// end of its response, and reports them to the parent process.
import { subscribe } from 'node:diagnostics_channel'
import { type Profiler, Session } from 'node:inspector'
import { isMainThread } from 'node:worker_threads'

const session = new Session()

/** Calls since the last time that this was asked. */
function takeCalls(): Profiler.ScriptCoverage[] {
  let calls: Profiler.ScriptCoverage[] = []
  // A session of the own thread responds before the call returns.
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    calls = result
  })
  return calls
}

function begin(): void {
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  subscribe('http.server.request.start', () => void takeCalls())
  subscribe('http.server.response.finish', () => process.send?.(takeCalls()))
  process.send?.('begun')
}

if (isMainThread) process.once('message', begin)
process.channel?.unref()
