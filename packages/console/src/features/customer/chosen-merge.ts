import type { Customer, CustomerMerge } from '@crmkit/sdk'
import { type Signal, signal } from '@preact/signals'

/** The merge that the panel has opened the dialog for. The conversation may show another customer as soon as it is undone. */
export const chosenMerge: Signal<{ customer: Customer; merge: CustomerMerge } | undefined> = signal(undefined)
