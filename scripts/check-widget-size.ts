import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { WidgetFiles } from '../packages/widget/src/build/build-widget.ts'

const kilobyte = 1_024
/** A visitor of a page loads them. */
const loaderBytesMax = 5 * kilobyte
const frameBytesMax = 20 * kilobyte

interface Part {
  name: string
  bytesMax: number
  texts: readonly (string | undefined)[]
}

function packedBytes(text = ''): number {
  return gzipSync(text, { level: 9 }).length
}

/** Returns 1 when a part of the built widget is too large for its visitors. */
export function checkWidgetSize(): number {
  const file = 'packages/server/dist/http/pages/widget/widget.json'
  const { stub, frame, hashed, loaderName, frameScriptName }: WidgetFiles = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  const parts: readonly Part[] = [
    { name: 'widget: v1.js and the loader', bytesMax: loaderBytesMax, texts: [stub, hashed[loaderName]] },
    {
      name: 'widget: the frame and its script',
      bytesMax: frameBytesMax,
      texts: [frame, hashed[frameScriptName]],
    },
  ]
  let failures = 0
  for (const { name, bytesMax, texts } of parts) {
    const bytes = texts.reduce((sum, text) => sum + packedBytes(text), 0)
    process.stderr.write(`${name}: ${bytes} of ${bytesMax} bytes gzip\n`)
    if (bytes > bytesMax) failures++
  }
  return failures > 0 ? 1 : 0
}
