import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { widgetTextKeys } from '../../core/src/inboxes/widget-texts.ts'
import { bubbleEnglish, chatEnglish } from '../../widget/src/browser/shared/strings.ts'
import { unknownValues } from '../src/features/settings/text-values.ts'
import { deWidgetTexts } from '../src/strings/de-widget-texts.ts'
import { widgetTexts } from '../src/strings/widget-texts.ts'

test('the form offers every text that an inbox may replace, as the widget says it in both languages', () => {
  expect(Object.keys(widgetTexts).sort()).toEqual([...widgetTextKeys].sort())
  expect(widgetTexts).toEqual({ ...bubbleEnglish, ...chatEnglish })
  const german = new URL('../../widget/src/languages/de.json', import.meta.url)
  expect(deWidgetTexts).toEqual(JSON.parse(readFileSync(german, 'utf8')))
})

test.each([
  ['Not sent: {reason}', 'Not sent', []],
  ['Not sent: {reason}', '{reason} {reason}', []],
  ['Not sent: {reason}', 'Not sent to {name}: {reason}, {name}', ['{name}']],
  ['Send', 'Send {}', []],
])('of “%s” as “%s” the values %j are not filled in', (usual, own, unknown) => {
  expect(unknownValues(usual, own)).toEqual(unknown)
})
