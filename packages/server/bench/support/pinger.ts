// A thread that asks for the health check without a pause. The thread of the bench is busy with its own mails at times, and would
// count that as a delay of the server.
import { parentPort, workerData } from 'node:worker_threads'

const { url } = workerData as { url: string }
let times: number[] = []
parentPort?.on('message', () => {
  parentPort?.postMessage(times)
  times = []
})

for (;;) {
  const at = performance.now()
  await (await fetch(`${url}/api/v1/health`)).arrayBuffer()
  times.push(performance.now() - at)
}
