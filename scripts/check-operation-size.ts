// Fails when the operations of the SDK's client cost more bytes of a bundle than they may, on average.
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { operations } from '../packages/core/src/index.ts'

/** The average that an operation may add to the client in a browser, in bytes of gzip. */
const bytesMax = 60

/** The client without a single method for an operation. */
const withoutOperations: Plugin = {
  name: 'without-operations',
  setup(bundle) {
    bundle.onLoad({ filter: /resource-tree\.gen\.ts$/ }, () => ({
      contents: 'export class ResourceTree { constructor(requester) { this.requester = requester } }',
      loader: 'ts',
    }))
  },
}

async function gzipBytes(plugins: Plugin[]): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: "export { Crm } from './packages/sdk/src/index.ts'", resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['@crmkit/source'],
    plugins,
  })
  return gzipSync(outputFiles[0]?.contents ?? '').length
}

const [whole, bare] = await Promise.all([gzipBytes([]), gzipBytes([withoutOperations])])
const cost = whole - bare
const average = cost / operations.length
process.stdout.write(
  `${operations.length} operations cost ${cost} bytes (gzip) of the client, ${average.toFixed(1)} each; at most ${bytesMax}\n`,
)
if (average > bytesMax) {
  process.stderr.write('Shorten what scripts/generate/sdk-method.ts writes for an operation\n')
  process.exitCode = 1
}
