import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { more } from '../../strings/more.ts'
import { noticeKinds, noticeSettings, switchNotice } from './notice-settings.ts'

/** The notices that a hidden tab gives: the inside of their dialog. */
export function NoticesContent(): JSX.Element {
  const [isRefused, setRefused] = useState(false)
  return (
    <>
      <p>{more.notices.hint}</p>
      {noticeKinds.map((kind) => (
        <p key={kind}>
          <label>
            <input
              type="checkbox"
              checked={noticeSettings.value[kind]}
              onChange={async ({ currentTarget }) => {
                const isDone = await switchNotice(kind, currentTarget.checked)
                setRefused(!isDone)
                currentTarget.checked = noticeSettings.peek()[kind]
              }}
            />{' '}
            {more.notices.kinds[kind]}
          </label>
        </p>
      ))}
      {isRefused && (
        <p class="field-error" role="alert">
          {more.notices.refused}
        </p>
      )}
    </>
  )
}
