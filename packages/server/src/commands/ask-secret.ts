import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks for a secret twice on a terminal, without showing it. Throws where there is no terminal. */
export async function askSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('Missing: --password-file FILE (- reads stdin)')
  const [first, second] = [await askHidden(question), await askHidden(`${question}, again`)]
  if (first !== second) throw new Error('The two passwords differ')
  return first
}

async function askHidden(question: string): Promise<string> {
  process.stderr.write(`${question}: `)
  // Readline writes what is typed to its output.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output, terminal: true })
  try {
    return await reader.question('')
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}
