import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { ConsoleFiles } from '../packages/console/src/build/build-console.ts'

const kilobyte = 1_024
/** An agent waits for them before the first screen: 60, and 4 for what keeps a reply from its loss and an older browser working. */
const firstLoadBytesMax = 64 * kilobyte
/** The first load and one part that is loaded with its screen. */
const routeBytesMax = 90 * kilobyte
const allBytesMax = 200 * kilobyte

function packedBytes(text = ''): number {
  return gzipSync(text, { level: 9 }).length
}

/** Returns 1 when the built console is too large for its people. */
export function checkConsoleSize(): number {
  const file = 'packages/server/dist/http/pages/console/console.json'
  const { hashed, firstLoad, mailFrame }: ConsoleFiles = JSON.parse(readFileSync(file, 'utf8'))
  const first = firstLoad.reduce((sum, name) => sum + packedBytes(hashed[name]), 0)
  const later = Object.keys(hashed)
    .filter((name) => !firstLoad.includes(name))
    .map((name) => packedBytes(hashed[name]))
  const parts = [
    { name: 'the first load', bytes: first, bytesMax: firstLoadBytesMax },
    { name: 'the largest route', bytes: first + Math.max(0, ...later), bytesMax: routeBytesMax },
    {
      name: 'all files',
      bytes: later.reduce((sum, bytes) => sum + bytes, first + packedBytes(mailFrame)),
      bytesMax: allBytesMax,
    },
  ]
  for (const { name, bytes, bytesMax } of parts)
    process.stderr.write(`console: ${name}: ${bytes} of ${bytesMax} bytes gzip\n`)
  return parts.some(({ bytes, bytesMax }) => bytes > bytesMax) ? 1 : 0
}
