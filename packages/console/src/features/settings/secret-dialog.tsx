import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface SecretDialogProps {
  readonly title: string
  readonly secret: string
  readonly texts: { readonly secretHint: string; readonly stored: string; readonly leave: string }
  readonly onClose: () => void
}

/** A secret, once. Escape and the browser ask before they leave it. */
export function SecretDialog({ title, secret, texts, onClose }: SecretDialogProps): JSX.Element {
  const leave = () => {
    if (window.confirm(texts.leave)) onClose()
  }
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    // The browser lets nobody cancel a second Escape of a dialog, so the key itself is caught.
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      leave()
    }
    window.addEventListener('beforeunload', warn)
    document.addEventListener('keydown', onKey)
    return () => {
      window.removeEventListener('beforeunload', warn)
      document.removeEventListener('keydown', onKey)
    }
  }, [])
  return (
    <Dialog title={title} onClose={leave}>
      <CopyText label={texts.secretHint} text={secret} />
      <Button kind="primary" onClick={onClose}>
        {texts.stored}
      </Button>
    </Dialog>
  )
}
