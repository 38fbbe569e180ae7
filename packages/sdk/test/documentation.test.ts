import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { documentationBase } from '../../../scripts/generate/describe-method.ts'

// Editors show the doc comments of the generated types: they are the reference that people read first.

const root = resolve(import.meta.dirname, '../../..')
const resources = join(root, 'packages/sdk/src/resources')
const parsed = (file: string) =>
  ts.createSourceFile(file, readFileSync(join(resources, file), 'utf8'), ts.ScriptTarget.Latest, true)

function nodesOf<N extends ts.Node>(source: ts.SourceFile, isWanted: (node: ts.Node) => node is N): N[] {
  const found: N[] = []
  const visit = (node: ts.Node): void => {
    if (isWanted(node)) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const proseOf = (node: ts.Node) =>
  ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join('')

describe('the doc comments of the generated files', () => {
  it.each(['types.gen.ts', 'events.gen.ts'])('%s: every property has one', (file) => {
    const properties = nodesOf(parsed(file), ts.isPropertySignature)
    expect(properties.length).toBeGreaterThan(4)
    const bare = properties.filter((property) => proseOf(property) === '')
    expect(bare.map((property) => property.getText())).toEqual([])
  })

  const files = globSync('*.gen.ts', { cwd: resources })
  const methods = files.flatMap((file) => nodesOf(parsed(file), ts.isMethodDeclaration))
  const pages = new Map<string, string>()

  it.each(methods.map((method) => [method.getText().split('{')[0]?.trim() ?? '', method] as const))(
    '%s: has a summary, its path parameters, and one line of errors with a link to a chapter',
    (_, method) => {
      const tags = ts.getJSDocTags(method)
      expect(proseOf(method)).not.toBe('')
      const ids = method.parameters.filter(({ type }) => type?.kind === ts.SyntaxKind.StringKeyword)
      for (const id of ids) {
        const [tag] = ts.getJSDocParameterTags(id)
        expect(ts.getTextOfJSDocComment(tag?.comment), id.getText()).toMatch(/\w+/)
      }
      const throws = tags.filter(ts.isJSDocThrowsTag)
      expect(throws).toHaveLength(1)
      const [, page = '', anchor = ''] = /See (\S+)#(\S+)/.exec(throws[0]?.getText() ?? '') ?? []
      expect(page.startsWith(`${documentationBase}/`)).toBe(true)
      const path = join(root, page.slice(documentationBase.length + 1))
      const text = pages.get(path) ?? readFileSync(path, 'utf8')
      pages.set(path, text)
      const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading))
      expect(anchors).toContain(anchor)
    },
  )
})

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}
