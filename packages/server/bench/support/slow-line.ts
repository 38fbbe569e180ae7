// A slow line that `npm run bench guard -- --plant` gives a service: each request occupies its thread for 20 µs.
import { subscribe } from 'node:diagnostics_channel'

const ns = 20_000n

subscribe('http.server.request.start', () => {
  const until = process.hrtime.bigint() + ns
  while (process.hrtime.bigint() < until);
})
