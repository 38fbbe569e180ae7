import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '../../strings/strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { noticeKinds, noticeSettings, switchNotice } from './notice-settings.ts'

export function NoticesDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [isRefused, setRefused] = useState(false)
  return (
    <Dialog title={t.notices.title} onClose={onClose}>
      <p>{t.notices.hint}</p>
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
            {t.notices.kinds[kind]}
          </label>
        </p>
      ))}
      {isRefused && (
        <p class="field-error" role="alert">
          {t.notices.refused}
        </p>
      )}
    </Dialog>
  )
}
