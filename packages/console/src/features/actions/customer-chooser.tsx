import type { Customer } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { nameOfCustomer } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { Chooser } from '../../ui/chooser.tsx'

/** A customer that exists, or the name or e-mail of a new one. */
export type ChosenCustomer = { readonly id: string; readonly text: string } | { readonly newText: string }

/** Milliseconds after the last key before a search begins. */
const typingMs = 200
const found = 8
const newChoice = 'new'

function textOf(customer: Customer): string {
  const name = nameOfCustomer(customer)
  const { email } = customer.profile
  return email && email !== name ? `${name} (${email})` : name
}

interface CustomerChooserProps {
  readonly store: Store
  readonly onChoose: (chosen: ChosenCustomer) => void
}

/** Finds customers by name, e-mail, phone or company, and offers to make a new one. */
export function CustomerChooser({ store, onChoose }: CustomerChooserProps): JSX.Element {
  const [text, setText] = useState('')
  const [customers, setCustomers] = useState<readonly Customer[]>([])
  const latest = useRef(0)
  useEffect(() => {
    latest.current += 1
    const search = latest.current
    const timer = setTimeout(async () => {
      const query = { limit: found, sort: '-updatedAt', ...(text && { search: text }) } as const
      const page = await store.crm.customers.list(query).catch(() => undefined)
      if (search === latest.current) setCustomers(page?.data ?? [])
    }, typingMs)
    return () => clearTimeout(timer)
  }, [text])
  const choices = customers.map((customer) => ({ id: customer._id, text: textOf(customer) }))
  return (
    <Chooser
      label={t.newConversation.customer}
      choices={text ? [...choices, { id: newChoice, text: t.newConversation.newCustomer(text) }] : choices}
      onText={(typed) => setText(typed.trim())}
      onChoose={(id) => {
        const chosen = choices.find((choice) => choice.id === id)
        onChoose(chosen ?? { newText: text })
      }}
    />
  )
}

/** Returns the id of a chosen customer, and makes a new one with its e-mail or its name. */
export async function customerIdOf(store: Store, chosen: ChosenCustomer): Promise<string> {
  if ('id' in chosen) return chosen.id
  const { newText } = chosen
  const body = newText.includes('@') ? { email: newText } : { firstName: newText }
  const customer = await store.crm.customers.create(body)
  store.conversations.customers.put(customer)
  return customer._id
}
