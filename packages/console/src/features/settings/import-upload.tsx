import type { UploadImportFile } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { uploadImportFile } from '../../api/imports.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { styles } from './settings-styles.ts'

type Module = UploadImportFile['module']

interface ImportUploadProps {
  readonly store: Store
  readonly id: string
  readonly onUploaded: () => void
}

/** Uploads a file that is chosen or dropped. */
export function ImportUpload({ store, id, onUploaded }: ImportUploadProps): JSX.Element {
  const [module, setModule] = useState<Module>('Contacts')
  const { isSending, problem, send } = useSending()
  const texts = more.imports
  const upload = (file: File | undefined) => {
    if (!file) return
    send(async () => {
      await uploadImportFile(store.crm, id, file, { module })
      onUploaded()
    }, texts.uploaded(file.name))
  }
  return (
    <fieldset
      style={styles.choices}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        upload(event.dataTransfer?.files[0])
      }}
    >
      <legend>{texts.upload}</legend>
      <label class="field">
        {texts.module}
        <select
          class="input"
          value={module}
          onChange={({ currentTarget }) => setModule(currentTarget.value as Module)}
        >
          {(Object.keys(texts.modules) as Module[]).map((one) => (
            <option key={one} value={one}>
              {texts.modules[one]}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {texts.file}
        <input
          class="input"
          type="file"
          disabled={isSending}
          onChange={({ currentTarget }) => {
            upload(currentTarget.files?.[0])
            // The same file, corrected, is chosen again.
            currentTarget.value = ''
          }}
        />
      </label>
      <p class="hint">{texts.fileHint}</p>
      <ProblemText problem={problem} />
    </fieldset>
  )
}
