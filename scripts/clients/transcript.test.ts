import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { languages } from './languages.ts'
import { type Call, differencesOf, lastLine } from './transcript.ts'

interface Described {
  readonly operationId: string
  readonly responses: Readonly<Record<string, unknown>>
}

const read = (file: string) => readFileSync(file, 'utf8')
const journey = JSON.parse(read('clients/journey.json')) as Call[]
const linesOf = (calls: readonly unknown[]) => calls.map((call) => `${JSON.stringify(call)}\n`).join('')

test('the journey has 30 calls, each of an operation and with a status of the document', () => {
  const { paths } = JSON.parse(read('openapi.json')) as { paths: Record<string, Record<string, Described>> }
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const unknown = journey.filter(
    ({ call, status }) =>
      !operations.some(({ operationId, responses }) => operationId === call && String(status) in responses),
  )
  expect([journey.length, unknown]).toEqual([30, []])
})

test('a transcript that lacks a call, has one more or shows another value differs', () => {
  const whole = [...journey, lastLine]
  expect(differencesOf(`a line of a tool\n\u001b[0m${linesOf(whole)}`, journey)).toEqual([])
  expect(differencesOf(linesOf(whole.slice(0, -1)), journey)).toHaveLength(1)
  expect(differencesOf(linesOf([...whole, lastLine]), journey)).toHaveLength(1)
  const [first, ...others] = journey
  expect(differencesOf(linesOf([{ ...first, status: 201 }, ...others, lastLine]), journey)).toEqual([
    `1: expected ${JSON.stringify(first)}, got ${JSON.stringify({ ...first, status: 201 })}`,
  ])
})

test.each(languages)('the README for $name has each command that makes the client', ({ name, generate }) => {
  const readme = read(`clients/${name}/README.md`)
  // A reader types no words that make a run quiet.
  const typed = generate.map((command) =>
    command.filter((word) => !/^(--quiet|--disable-pip-version-check|-B)$/.test(word)).join(' '),
  )
  expect(typed.filter((command) => !readme.includes(command))).toEqual([])
})

test('the table of clients names the versions that are in use', () => {
  const table = read('clients/README.md')
  const [, python] = /openapi-python-client==(\S+)/.exec(read('clients/python/requirements.txt')) ?? []
  const [, go] = /oapi-codegen@v(\S+)/.exec(read('clients/go/journey.go')) ?? []
  const [, java] =
    /<artifactId>openapi-generator-maven-plugin<\/artifactId>\s*<version>([^<]+)/.exec(
      read('clients/java/pom.xml'),
    ) ?? []
  for (const version of [python, go, java]) expect(table).toContain(` ${version}`)
})
