// Runs within the server of a bench: measures how long each pass of its event loop takes. The times of requests hold the delays of
// their client and of the network too, and on a busy machine those of other programs; the processor time of a pass does not.
let longest: { ms: number; cpuMs: number }[] = []
const pauseMs = 1

let at = performance.now()
let cpu = process.threadCpuUsage()
setInterval(() => {
  const { user, system } = process.threadCpuUsage(cpu)
  const now = performance.now()
  longest.push({ ms: Math.max(0, now - at - pauseMs), cpuMs: (user + system) / 1000 })
  at = now
  cpu = process.threadCpuUsage()
}, pauseMs).unref()

process.on('message', () => {
  process.send?.(longest)
  longest = []
})
process.channel?.unref()
