import type { Customer } from '@crmkit/sdk'
import type { Store } from '../../store/store.ts'

export interface CustomerDialogProps {
  readonly store: Store
  readonly customer: Customer
  readonly onClose: () => void
  /** Leaves the conversation, which no longer exists. */
  readonly onErased: () => void
}
