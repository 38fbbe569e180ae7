import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPage, root } from './page.ts'

const pages = globSync(['*.md', 'llms.txt', 'docs/*.md', 'examples/README.md', 'packages/*/README.md'], {
  cwd: root,
})

/** Heading texts as links name them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('links', () => {
  it.each(pages)('every link of %s leads to a file, and to a heading of it', (path) => {
    const text = readPage(path).replaceAll(/^```.*?^```$/gms, '')
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    for (const link of links.filter((target) => !/^https?:/.test(target))) {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? path : join(dirname(path), file)
      expect(existsSync(join(root, target)), `${link} in ${path}`).toBe(true)
      if (anchor && target.endsWith('.md'))
        expect(anchorsOf(readPage(target)), `${link} in ${path}`).toContain(anchor)
    }
  })

  it('docs/README.md and llms.txt name every page', () => {
    const map = readPage('docs/README.md')
    const list = readPage('llms.txt')
    for (const page of globSync(['*.md', 'reference/*.md'], { cwd: join(root, 'docs') })) {
      if (page === 'README.md') continue
      expect(map, page).toContain(`(${page})`)
      expect(list, page).toContain(`(docs/${page})`)
    }
  })

  it('a README of a published package links to nothing outside of the package', () => {
    for (const path of globSync('packages/*/README.md', { cwd: root }))
      expect(readPage(path)).not.toMatch(/\]\(\.\.\//)
  })
})

describe('packing', () => {
  const refuse = (userAgent: string) => {
    const env = { ...process.env, npm_config_user_agent: userAgent }
    return execFileSync(process.execPath, ['scripts/refuse-npm-pack.mjs'], { cwd: root, env, stdio: 'pipe' })
  }

  it('npm is refused, because it leaves workspace versions in the package, and pnpm is not', () => {
    expect(() => refuse('npm/11.0.0 node/v24.0.0')).toThrow(/pnpm/)
    expect(() => refuse('pnpm/12.0.0 npm/? node/v24.0.0')).not.toThrow()
    for (const file of globSync('packages/*/package.json', { cwd: root })) {
      const { scripts, keywords, engines, private: isPrivate } = JSON.parse(readPage(file))
      if (isPrivate === true) continue
      expect(scripts.prepack).toContain('refuse-npm-pack')
      expect([keywords.length > 2, typeof engines.node]).toEqual([true, 'string'])
    }
  })
})
