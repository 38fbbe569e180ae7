import type { JSX } from 'preact'
import { NoticesContent } from '../features/notices/notices-content.tsx'
import { setUndoSend, undoSend } from '../store/outgoing.ts'
import { more } from '../strings/more.ts'
import { chosenLanguage, languages, setLanguage, t } from '../strings/strings.ts'
import { afterClosing, closings, setAfterClosing } from './after-closing.ts'
import { theme, themes } from './theme.ts'

const fieldStyle = { maxWidth: '420px' } as const

/** The settings that this browser keeps: they concern the person who uses it. */
export function BrowserSettings(): JSX.Element {
  const texts = more.settings.profile
  return (
    <>
      <h3>{t.actions.notices}</h3>
      <NoticesContent />
      <h3>{texts.browser}</h3>
      <label class="field" style={fieldStyle}>
        {texts.language}
        <select
          class="input"
          value={chosenLanguage}
          onChange={({ currentTarget }) => setLanguage(currentTarget.value)}
        >
          {languages.map((name) => (
            <option key={name} value={name}>
              {texts.languages[name]}
            </option>
          ))}
        </select>
      </label>
      <label class="field" style={fieldStyle}>
        {t.nav.theme}
        <select
          class="input"
          value={theme.value}
          onChange={({ currentTarget }) => {
            theme.value = themes.find((name) => name === currentTarget.value) ?? 'system'
          }}
        >
          {themes.map((name) => (
            <option key={name} value={name}>
              {t.nav.themes[name]}
            </option>
          ))}
        </select>
      </label>
      <label class="field" style={fieldStyle}>
        {texts.afterClosing}
        <select
          class="input"
          value={afterClosing.value}
          onChange={({ currentTarget }) => setAfterClosing(currentTarget.value)}
        >
          {closings.map((name) => (
            <option key={name} value={name}>
              {texts.closings[name]}
            </option>
          ))}
        </select>
      </label>
      <p>
        <label>
          <input
            type="checkbox"
            checked={undoSend.value}
            onChange={({ currentTarget }) => setUndoSend(currentTarget.checked)}
          />{' '}
          {t.drafts.undoSend}
        </label>
      </p>
    </>
  )
}
