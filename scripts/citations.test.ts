import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

// The code cites the papers of docs/contract by name and section: `specification 6.3`, `contract 3`, `widget 7`.

const root = join(import.meta.dirname, '..')
const papers: Readonly<Record<string, string>> = {
  specification: 'docs/contract/1-specification.md',
  contract: 'docs/contract/2-contract.md',
  webhooks: 'docs/contract/3-webhooks.md',
  widget: 'docs/contract/4-widget.md',
  connectors: 'docs/contract/5-connectors.md',
}

function sectionsOf(text: string): Set<string> {
  return new Set([...text.matchAll(/^##+ (\d+(?:\.\d+)*)\.? \S/gm)].map(([, section = '']) => section))
}

interface Citation {
  readonly text: string
  readonly paper: string
  readonly section: string
}

function citationsIn(text: string): Citation[] {
  return [...text.matchAll(/\b(specification|contract|webhooks|widget|connectors) (\d+(?:\.\d+)*)\b/g)].map(
    ([cited, paper = '', section = '']) => ({ text: cited, paper, section }),
  )
}

/** Other ways to name a section, which nothing would check. */
function looseCitationsIn(text: string): string[] {
  const pattern =
    /(?:Source: |see )the (?:contract|specification)|\b(?:contract|specification)(?:[’']s|,)? (?:delivery )?(?:sections?|rule) \d+/gi
  return [...text.matchAll(pattern)].map(([cited]) => cited)
}

const sections = Object.fromEntries(
  Object.entries(papers).map(([paper, path]) => [paper, sectionsOf(readFileSync(join(root, path), 'utf8'))]),
)
const isDangling = ({ paper, section }: Citation) => !sections[paper]?.has(section)

const files = globSync(
  ['packages/*/{src,test,bench}/**/*.ts', 'scripts/**/*.ts', 'docs/**/*.md', '*.md', 'packages/*/README.md'],
  { cwd: root },
).filter((path) => !/node_modules|\.gen\.ts$|citations\.test\.ts$/.test(path))

describe('citations of the papers in docs/contract', () => {
  const texts = files.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)

  it('all lead to a section that exists', () => {
    const cited = texts.flatMap(([path, text]) =>
      citationsIn(text).map((citation) => ({ path, ...citation })),
    )
    expect(cited.length).toBeGreaterThan(20)
    expect(cited.filter(isDangling)).toEqual([])
  })

  it('all have the form that is checked', () => {
    expect(
      texts.flatMap(([path, text]) => looseCitationsIn(text).map((cited) => `${path}: ${cited}`)),
    ).toEqual([])
  })

  it('are recognised, whether they lead to a section or not', () => {
    const [real, missing] = citationsIn('Source: contract 3, and not contract 99.')
    expect([real, missing].map((citation) => citation && isDangling(citation))).toEqual([false, true])
    expect(
      looseCitationsIn('Source: the contract. As in the contract, section 3, or the specification’s rule 5.'),
    ).toHaveLength(3)
  })
})
