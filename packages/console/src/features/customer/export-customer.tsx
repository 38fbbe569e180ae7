import type { JSX } from 'preact'
import { nameOfCustomer } from '../../store/names.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { download } from '../../ui/download.ts'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import type { CustomerDialogProps } from './customer-dialog.ts'

/** Downloads all stored data of a customer: the inside of its dialog. */
export function ExportCustomerContent({ store, customer, onClose }: CustomerDialogProps): JSX.Element {
  const { isSending, problem, send } = useSending()
  const read = async (format: 'json' | 'csv') => {
    const response = await store.crm.customers.export(customer._id, { format })
    download(await response.blob(), `${customer._id}.${format}`)
    onClose()
  }
  return (
    <>
      <p dir="auto">
        <strong>{nameOfCustomer(customer)}</strong>
      </p>
      <p>{more.export.hint}</p>
      <ProblemText problem={problem} />
      <p class="dialog-buttons">
        {(['json', 'csv'] as const).map((format) => (
          <Button
            key={format}
            isDisabled={isSending}
            onClick={() => send(() => read(format), more.export.done)}
          >
            {more.export[format]}
          </Button>
        ))}
      </p>
    </>
  )
}
