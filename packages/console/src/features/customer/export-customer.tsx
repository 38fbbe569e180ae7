import type { JSX } from 'preact'
import { nameOfCustomer } from '../../store/names.ts'
import { more } from '../../strings/more.ts'
import { ExportButtons } from '../../ui/export-buttons.tsx'
import type { CustomerDialogProps } from './customer-dialog.ts'

/** Downloads all stored data of a customer: the inside of its dialog. */
export function ExportCustomerContent({ store, customer, onClose }: CustomerDialogProps): JSX.Element {
  const { _id } = customer
  return (
    <>
      <p dir="auto">
        <strong>{nameOfCustomer(customer)}</strong>
      </p>
      <p>{more.export.hint}</p>
      <ExportButtons
        name={_id}
        read={(format) => store.crm.customers.export(_id, { format })}
        onDone={onClose}
      />
    </>
  )
}
