// Runs within a server of a test or a bench: counts the calls of each function between the arrival of a request and the
// end of its response, and reports them to the parent process.
import { subscribe } from 'node:diagnostics_channel'
import { type Profiler, Session } from 'node:inspector'

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** Calls since the last time that this was asked. */
function takeCalls(): Profiler.ScriptCoverage[] {
  let calls: Profiler.ScriptCoverage[] = []
  // A session of the own thread responds before the call returns.
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    calls = result
  })
  return calls
}

let last: Profiler.ScriptCoverage[] = []
subscribe('http.server.request.start', () => void takeCalls())
subscribe('http.server.response.finish', () => {
  last = takeCalls()
})

process.on('message', () => process.send?.(last))
process.channel?.unref()
