// Imported into a server by `node --import`, and with it into each of its threads: names each package once on stderr when its
// first file is loaded.
import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const reported = new Set<string>()

registerHooks({
  load(url, context, next) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
    if (name !== undefined && !reported.has(name)) {
      reported.add(name)
      writeSync(2, `${isMainThread ? 'server' : 'thread'} loads ${name}\n`)
    }
    return next(url, context)
  },
})
