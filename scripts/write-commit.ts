import { writeFileSync } from 'node:fs'
import { gitIn } from './check-changeset.ts'

/**
 * The commit of the tree, with `+changes` where the tree has others; null without a repository. An image is built without one, so
 * `CRMKIT_COMMIT` may name it.
 */
function commitOfTree(): string | null {
  const named = process.env['CRMKIT_COMMIT']
  if (named) return named
  const git = gitIn(process.cwd())
  const head = git('rev-parse', 'HEAD')
  return head === undefined ? null : `${head}${git('status', '--porcelain') === '' ? '' : '+changes'}`
}

/** Each package says of which commit it was made; `crm-server --version`, the health and the metrics print it. */
export async function writeCommit(): Promise<number> {
  const text = `${JSON.stringify({ commit: commitOfTree() })}\n`
  for (const name of ['core', 'sdk', 'server', 'cli']) writeFileSync(`packages/${name}/dist/build.json`, text)
  return 0
}
