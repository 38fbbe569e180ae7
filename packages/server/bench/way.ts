// `npm run bench way`: the own files that one warm request of a customer runs through on the main thread, with the calls of
// each. The time plays no part, so a busy machine does not change the figures. `--calls` names the functions too.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Way, wayFlags, wayOf } from '../test/support/way-of-request.ts'
import { startChild } from './support/child.ts'
import { openTenant, post } from './support/open-tenant.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({ options: { calls: { type: 'boolean', default: false } } })
const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-bench-'))
const program = fileURLToPath(new URL('../src/main/crm-server.ts', import.meta.url))
const settings = { PORT: '0', CRM_DATA_DIR: folder, CRM_LOG_LEVEL: 'error' }

function print(name: string, { files, functions, calls }: Way) {
  process.stdout.write(`\n${name}: ${files.size} files, ${functions} functions, ${calls} calls\n`)
  for (const [file, called] of files) {
    const sum = [...called.values()].reduce((total, count) => total + count, 0)
    process.stdout.write(`${String(sum).padStart(5)}  ${file}\n`)
    if (options.calls)
      for (const [of, count] of called) process.stdout.write(`${String(count).padStart(12)}  ${of.split(' ')[0]}\n`)
  }
  return { files: files.size, functions, calls }
}

const server = await startChild(program, ['start', '--dev'], settings, wayFlags)
try {
  const { url } = server
  const { key, customerId } = await openTenant(url, ['read:customers', 'write:customers'])
  const headers = { authorization: `Bearer ${key}` }
  const read = async () => (await fetch(`${url}/api/v1/customers/${customerId}`, { headers })).json()
  const create = (index: number) =>
    post(url, {
      route: '/api/v1/customers',
      token: key,
      body: { firstName: 'Ada', lastName: `Created ${index}`, email: `created${index}@example.com` },
    })
  const figures = {
    'read a customer': print('read a customer', await wayOf(server, read)),
    'create a customer': print('create a customer', await wayOf(server, create)),
  }
  printFigures('way', figures, {})
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
