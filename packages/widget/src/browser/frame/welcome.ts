import type { WidgetConfig } from '../shared/protocol.ts'
import { type ChatTexts, fill } from '../shared/strings.ts'
import { make } from './dom.ts'

const replyTexts = { minutes: 'replyMinutes', hours: 'replyHours', day: 'replyDay' } as const

/** Returns the beginning of every thread: who is there, the greeting, and when a reply comes. */
export function makeWelcome({ team, greeting, online, replyTime }: WidgetConfig, texts: ChatTexts): Node[] {
  const quiet = (text: string) => make('p', { className: 'quiet' }, text)
  const parts: Node[] = []
  if (team) parts.push(makeTeam(team, texts))
  if (greeting) parts.push(make('p', { className: 'greeting', dir: 'auto' }, greeting))
  if (!online) parts.push(quiet(texts.away))
  if (replyTime) parts.push(quiet(texts[replyTexts[replyTime]]))
  return parts
}

function makeTeam({ name, faces }: NonNullable<WidgetConfig['team']>, texts: ChatTexts): HTMLElement {
  const names = faces.map((face) => face.name)
  return make(
    'div',
    { className: 'team' },
    make(
      'div',
      { className: 'faces', ariaHidden: 'true' },
      ...names.map((face) => make('span', {}, [...face][0]?.toLocaleUpperCase() ?? '')),
    ),
    make('strong', { dir: 'auto' }, name),
    names.length === 0
      ? undefined
      : make('p', { className: 'quiet' }, fill(texts.online, { names: names.join(', ') })),
  )
}
