import type { Attachment } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { exactTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { download } from '../../ui/download.ts'
import { Icon } from '../../ui/icon.tsx'
import { showToast } from '../../ui/toasts.tsx'

const previewTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const previewBytesMax = 5_000_000

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** A file of a message. It is read with the credential of the session and never opened at the service's address. */
export function AttachmentView({
  store,
  file,
  isInText = false,
}: {
  readonly store: Store
  readonly file: Attachment
  /** Whether the text of the message shows it already. */
  readonly isInText?: boolean
}): JSX.Element {
  const [preview, setPreview] = useState<string | undefined>(undefined)
  const isKept = file.removedAt === undefined
  const isImage =
    isKept && !isInText && previewTypes.includes(file.contentType) && file.size <= previewBytesMax
  useEffect(() => {
    if (!isImage) return
    let url: string | undefined
    let isOver = false
    readFile(store, file).then(
      (blob) => {
        if (isOver) return
        url = URL.createObjectURL(blob)
        setPreview(url)
      },
      () => undefined,
    )
    return () => {
      isOver = true
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [file._id])
  if (file.removedAt !== undefined)
    return (
      <span class="file hint">
        <Icon name="clip" />
        {t.thread.fileRemoved(exactTime(file.removedAt))}
      </span>
    )
  return (
    <Button isSmall onClick={() => void save(store, file)}>
      <span class="file">
        {preview ? <img src={preview} alt="" /> : <Icon name="clip" />}
        <span dir="auto">{t.thread.download(file.filename, sizeText(file.size))}</span>
      </span>
    </Button>
  )
}

export async function readFile(store: Store, { _id, contentType }: Attachment): Promise<Blob> {
  const response = await store.crm.attachments.get(_id)
  // The type of the declaration: whatever the bytes are, they are never a page.
  return new Blob([await response.arrayBuffer()], { type: contentType })
}

async function save(store: Store, file: Attachment): Promise<void> {
  try {
    download(await readFile(store, file), file.filename)
  } catch (error) {
    showToast(t.thread.downloadFailed, { reason: problemOf(error) })
  }
}
