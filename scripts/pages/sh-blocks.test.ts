import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { codeBlocks, root } from './page.ts'

// Blocks of ```sh show commands for another machine, so a page's test does not run them as they are. Each line is proven in
// another way, and a line of a program that no rule knows is an error.

interface Line {
  readonly page: string
  readonly words: readonly string[]
}

// `docs/reference/cli.md` is made from the help, whose every example a test of the CLI runs.
const pages = globSync(['docs/**/*.md', 'README.md', 'examples/*/README.md', 'packages/*/README.md'], {
  cwd: root,
  exclude: ['**/node_modules', 'docs/adr', 'docs/reference'],
})

/** The commands of a page's blocks, without comments, assignments and line breaks. */
function linesOf(page: string): Line[] {
  return codeBlocks(readFileSync(join(root, page), 'utf8'), 'sh').flatMap((block) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .flatMap((line) => line.replace(/\s+#.*$/, '').split(/\$\(|[;&|]/))
      .map((command) => command.trim().replace(/^(?:[A-Z_]+=\S+\s+)+/, ''))
      .filter((line) => line.trim() !== '')
      .map((line) => ({ page, words: line.trim().split(/\s+/) })),
  )
}

const lines = pages.flatMap(linesOf)
const of = (program: string) => lines.filter(({ words }) => words[0] === program)

/** Programs of the machine, with the reason why no test runs these lines. */
const notRun: Readonly<Record<string, string>> = {
  useradd: 'changes the users of the machine',
  chown: 'needs the user of the line before',
  systemctl: 'needs systemd as the first process',
  journalctl: 'needs systemd as the first process',
  mongodump: 'needs the tools of MongoDB',
  mongorestore: 'needs the tools of MongoDB',
  docker: 'needs Docker; the steps of compose.yaml are tested without it',
}
/** The installed packages of CI run these lines word for word: `scripts/smoke-packages.ts`. */
const runBySmoke = ['deploy/steps.sh', 'ln', 'install']

async function helpOf(program: string, words: readonly string[]): Promise<string> {
  const file = join(
    root,
    program === 'crm' ? 'packages/cli/src/main.ts' : 'packages/server/src/main/crm-server.ts',
  )
  const args = ['--conditions=@crmkit/source', file, ...words, '--help']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return stdout
}

describe('sh blocks of the pages', () => {
  it('use only programs that a rule of this test knows', () => {
    const known = ['crm', 'crm-server', 'npm', ...runBySmoke, ...Object.keys(notRun)]
    expect(lines.length).toBeGreaterThan(20)
    // This page is one script with files in it, and email-try-page.dovecot.test.ts runs it.
    const listed = lines.filter(({ page }) => page !== 'docs/email-try.md')
    expect(listed.filter(({ words: [program = ''] }) => !known.includes(program))).toEqual([])
  })

  it('name commands and flags of crm and crm-server that exist', async () => {
    const own = [...of('crm'), ...of('crm-server')]
    expect(own.length).toBeGreaterThan(10)
    const wrong: string[] = []
    const helps = new Map<string, string>()
    for (const { page, words } of own) {
      const [program = '', ...rest] = words
      // The words of the command stand before the first flag, and its arguments are written in capitals.
      const end = rest.findIndex((word) => word.startsWith('-') || /^[A-Z]/.test(word) || word.includes('.'))
      const command = end === -1 ? rest : rest.slice(0, end)
      const flags = rest.flatMap((word) => /^--[a-z][a-z-]*/.exec(word) ?? [])
      const key = [program, ...command].join(' ')
      const help = helps.get(key) ?? (await helpOf(program, command).catch(() => ''))
      helps.set(key, help)
      wrong.push(
        ...(help === '' ? [`${page}: ${words.join(' ')}`] : []),
        ...flags
          .filter((flag) => !help.includes(flag))
          .map((flag) => `${page}: ${command.join(' ')} ${flag}`),
      )
    }
    expect(wrong).toEqual([])
  })

  it('call tasks of npm that the workspace has', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const tasks = of('npm').flatMap(({ words }) => (words[1] === 'run' ? [words[2] ?? ''] : []))
    expect(tasks.length).toBeGreaterThan(3)
    expect(tasks.filter((task) => !(task in scripts))).toEqual([])
  })
})
