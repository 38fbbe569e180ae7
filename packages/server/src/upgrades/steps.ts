import { addressUsesStep } from './address-uses.ts'
import { emailForms } from './email-forms.ts'
import { endsOfImportFilesStep } from './ends-of-import-files.ts'
import { externalLinksStep } from './external-links.ts'
import { figuresStep } from './figures.ts'
import { lastContactsStep } from './last-contacts.ts'
import { lastMessagesStep } from './last-messages.ts'
import { phonesOfCallsStep } from './phones-of-calls.ts'
import { sendersOfMailsStep } from './senders-of-mails.ts'
import { shortPhonesStep } from './short-phones.ts'
import type { UpgradeStep } from './upgrade-step.ts'

/**
 * Every step, in the order in which each tenant takes them: a step begins when the tenant is done with the one before. A step
 * stays in the list for as long as a database may be upgraded from a version before it.
 */
export const upgradeSteps: readonly UpgradeStep[] = [
  externalLinksStep,
  ...emailForms,
  addressUsesStep,
  sendersOfMailsStep,
  phonesOfCallsStep,
  endsOfImportFilesStep,
  lastMessagesStep,
  shortPhonesStep,
  lastContactsStep,
  figuresStep,
]
