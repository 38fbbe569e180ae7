// `npm run bench way`: the own files that one warm request of a customer runs through on the main thread, with the calls of
// each. The time plays no part, so a busy machine does not change the figures. `--calls` names the functions too.
import { parseArgs } from 'node:util'
import { type Way, waysOfCustomers } from '../test/support/way-of-request.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({ options: { calls: { type: 'boolean', default: false } } })

function print(name: string, { files, functions, calls }: Way) {
  process.stdout.write(`\n${name}: ${files.size} files, ${functions} functions, ${calls} calls\n`)
  for (const [file, called] of files) {
    const sum = [...called.values()].reduce((total, count) => total + count, 0)
    process.stdout.write(`${String(sum).padStart(5)}  ${file}\n`)
    if (options.calls)
      for (const [of, count] of called)
        process.stdout.write(`${String(count).padStart(12)}  ${of.split(' ')[0]}\n`)
  }
  return { files: files.size, functions, calls }
}

const { read, create } = await waysOfCustomers()
const figures = {
  'read a customer': print('read a customer', read),
  'create a customer': print('create a customer', create),
}
printFigures('way', figures, {})
