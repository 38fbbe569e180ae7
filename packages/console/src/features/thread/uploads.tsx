import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { fileBytesMax, filesMax } from '../../api/attachment-limits.ts'
import { problemOf } from '../../api/problem.ts'
import type { Draft } from '../../store/draft.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { IconButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.tsx'

type Attach = (files: FileList | undefined | null) => void

const megabytes = fileBytesMax / 1024 ** 2

/** The limits stand there before somebody chooses a file. */
export function AttachButton({ attach }: { readonly attach: Attach }): JSX.Element {
  const id = useId()
  return (
    <>
      <label class="button button-plain button-small" for={id}>
        {t.composer.attach}
        <small>{t.composer.fileLimit(filesMax, megabytes)}</small>
      </label>
      <input
        id={id}
        class="hidden-text"
        type="file"
        multiple
        onChange={({ currentTarget }) => {
          attach(currentTarget.files)
          currentTarget.value = ''
        }}
      />
    </>
  )
}

interface FilesProps {
  readonly store: Store
  readonly conversationId: string
  readonly draft: Draft
  readonly uploading: readonly string[]
}

export function Files({ store, conversationId, draft, uploading }: FilesProps): JSX.Element {
  const remove = (id: string) =>
    store.drafts.change(conversationId, (now) => ({
      ...now,
      attachments: now.attachments.filter(({ _id }) => _id !== id),
    }))
  return (
    <>
      {draft.attachments.map((file) => (
        <span key={file._id} class="file" dir="auto">
          {file.filename}
          <IconButton
            icon="close"
            label={t.composer.removeFile(file.filename)}
            onClick={() => remove(file._id)}
          />
        </span>
      ))}
      {uploading.map((name) => (
        <span key={name} role="status">
          {t.composer.uploading(name)}
        </span>
      ))}
    </>
  )
}

/**
 * Uploads begin as soon as a file is chosen; a message may be sent when all have ended. Several end at the same moment, so each
 * adds its file to the draft as it is then.
 */
export function useUploads(store: Store, conversationId: string) {
  const [uploading, setUploading] = useState<readonly string[]>([])
  const upload = async (file: File) => {
    setUploading((names) => [...names, file.name])
    try {
      const made = await store.crm.attachments.create(file)
      store.drafts.change(conversationId, (draft) => ({
        ...draft,
        attachments: [...draft.attachments, made],
      }))
    } catch (error) {
      showToast(t.composer.uploadFailed(file.name), { reason: problemOf(error) })
    }
    setUploading((names) => names.toSpliced(names.indexOf(file.name), 1))
  }
  const attach: Attach = (files) => {
    let left =
      filesMax - store.drafts.state(conversationId).peek().draft.attachments.length - uploading.length
    for (const file of files ?? []) {
      const reason =
        file.size > fileBytesMax
          ? t.composer.fileTooLarge(megabytes)
          : left <= 0
            ? t.composer.filesTooMany(filesMax)
            : undefined
      if (reason !== undefined) {
        showToast(`${t.composer.uploadFailed(file.name)} ${reason}`)
        continue
      }
      left -= 1
      void upload(file)
    }
  }
  return { uploading, attach }
}
