import type { Customer } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { nameOfCustomer } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { type Choice, Chooser } from '../../ui/chooser.tsx'

/** Milliseconds after the last key before a search begins. */
const typingMs = 200
const found = 8

function textOf(customer: Customer): string {
  const name = nameOfCustomer(customer)
  const { email } = customer.profile
  return email && email !== name ? `${name} (${email})` : name
}

interface FoundCustomersProps {
  readonly store: Store
  readonly label: string
  /** A customer who is no choice. */
  readonly exceptId?: string
  /** A last choice, made of the text. */
  readonly lastChoice?: (text: string) => Choice
  /** Gets the choice and the text that was typed. */
  readonly onChoose: (choice: Choice, text: string) => void
}

/** Finds customers by name, e-mail, phone or company while a person types. */
export function FoundCustomers(props: FoundCustomersProps): JSX.Element {
  const { store, label, exceptId, lastChoice, onChoose } = props
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
  const choices: Choice[] = customers
    .filter(({ _id }) => _id !== exceptId)
    .map((customer) => ({ id: customer._id, text: textOf(customer) }))
  if (text && lastChoice) choices.push(lastChoice(text))
  return (
    <Chooser
      label={label}
      choices={choices}
      onText={(typed) => setText(typed.trim())}
      onChoose={(id) => {
        const chosen = choices.find((choice) => choice.id === id)
        if (chosen) onChoose(chosen, text)
      }}
    />
  )
}
