import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

// Finds the functions that may read the text of a stranger: by the folder that they stand in, and by their parameters.

/** The folders in which such text is read. The others of the server read settings, rows and words of an operator. */
const rooms = [
  'cli/src/output',
  'console/src',
  'core/src',
  'sdk/src',
  'widget/src/browser',
  'server/src/adapters/{hubspot,imap,smtp,twilio,zoho}',
  'server/src/adapters/{mongo,sqlite}/search',
  'server/src/{connectors,features,http,imports,mail,security,shared}',
  'server/src/storage/{,rules/}*.ts',
]
const unread = /\.test\.tsx?$|\.contract\.ts$|\.gen\.ts$/

/** Names of what the service makes: ids, times and its own words. */
const ownNames = /^(id|ids|.*Ids?|now|.*At|iso|time|month|kind|module|prefix|baseUrl)$/
const textTypes = /\b(string|Uint8Array|Buffer|unknown)\b/

/** Every exported function that takes a text or bytes, as `core/attachments/filename#safeFilename`. */
export function findTextReaders(root: string): string[] {
  const patterns = rooms.map((room) => (room.endsWith('.ts') ? room : `${room}/**/*.{ts,tsx}`))
  return globSync(patterns, { cwd: join(root, 'packages') })
    .filter((path) => !unread.test(path))
    .flatMap((path) => textReadersOf(path, readFileSync(join(root, 'packages', path), 'utf8')))
    .sort()
}

export function textReadersOf(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const place = path.replace('/src/', '/').replace(/\.tsx?$/, '')
  const names = source.statements.flatMap((statement) => exportedFunctions(statement))
  return [...new Set(names.map((name) => `${place}#${name}`))]
}

function exportedFunctions(statement: ts.Statement): string[] {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
  if (ts.isFunctionDeclaration(statement))
    return statement.parameters.some(takesText) ? [statement.name?.text ?? 'default'] : []
  if (!ts.isVariableStatement(statement)) return []
  return statement.declarationList.declarations
    .filter(
      ({ initializer }) =>
        initializer !== undefined &&
        (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)) &&
        initializer.parameters.some(takesText),
    )
    .map(({ name }) => name.getText())
}

/** Whether a parameter, or a field that stands in its type, holds a text that the service has not made. */
function takesText({ name, type }: ts.ParameterDeclaration): boolean {
  if (type === undefined || ts.isFunctionTypeNode(type)) return false
  let hasFields = false
  let takes = false
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && node.type !== undefined) {
      hasFields = true
      takes ||= !ts.isFunctionTypeNode(node.type) && isForeign(node.name.getText(), node.type)
    }
    ts.forEachChild(node, visit)
  }
  visit(type)
  return hasFields ? takes : isForeign(name.getText(), type)
}

function isForeign(name: string, type: ts.TypeNode): boolean {
  return textTypes.test(type.getText()) && !ownNames.test(name)
}
