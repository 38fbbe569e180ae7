// For tests that ask what a process holds: V8 leaves garbage in memory as long as the machine has enough of it. Started
// with `--expose-gc`.
const intervalMs = 250

setInterval(() => globalThis.gc?.(), intervalMs).unref()
