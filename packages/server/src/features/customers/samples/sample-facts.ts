import type { CreateCustomerBody } from '@crmkit/core'
import { sampleDomain } from '../../../mail/addresses/sample-addresses.ts'

/** `team`: a reply; `note`: a note of the team. */
type Author = 'customer' | 'team' | 'note'

export interface SampleConversation {
  /** The place of the customer in `sampleCustomers`. */
  readonly customer: number
  readonly subject: string
  readonly channel: 'email' | 'chat' | 'phone' | 'whatsapp'
  readonly status: 'open' | 'pending' | 'snoozed' | 'closed'
  readonly priority?: 'low' | 'high' | 'urgent'
  readonly labels?: readonly string[]
  /** Whether it belongs to the person who adds the sample data. */
  readonly isMine?: true
  readonly hoursAgo: number
  /** Each with the minutes after the beginning. */
  readonly messages: readonly (readonly [Author, number, string])[]
  readonly rating?: { readonly score: number; readonly comment: string }
}

const emailOf = (name: string) => `${name}@${sampleDomain}`

export const sampleCustomers: readonly CreateCustomerBody[] = [
  { firstName: 'Ada', lastName: 'Moreau', email: emailOf('ada'), company: 'Moreau Ceramics', tier: 'gold' },
  { firstName: 'Jürgen', lastName: 'Weiß', email: emailOf('juergen'), company: 'Weiß & Söhne' },
  { firstName: '美咲', lastName: '田中', email: emailOf('misaki'), tags: ['vip'] },
  { firstName: 'ليلى', lastName: 'حداد', email: emailOf('layla') },
  { firstName: 'Олена', lastName: 'Коваль', email: emailOf('olena'), tier: 'silver' },
]

const dayHours = 24

export const sampleConversations: readonly SampleConversation[] = [
  {
    customer: 0,
    subject: 'Two of twelve cups arrived broken',
    channel: 'email',
    status: 'open',
    priority: 'high',
    labels: ['delivery'],
    hoursAgo: 2,
    messages: [
      [
        'customer',
        0,
        'Hello,\n\ntwo of the twelve cups arrived broken. Can you send new ones?\n\nAda Moreau',
      ],
    ],
  },
  {
    customer: 1,
    subject: 'Rechnung für März',
    channel: 'email',
    status: 'open',
    labels: ['invoice'],
    isMine: true,
    hoursAgo: 26,
    messages: [
      ['customer', 0, 'Guten Tag, können Sie mir die Rechnung für März noch einmal senden?'],
      ['team', 35, 'Guten Tag Herr Weiß, gern. An welche Adresse?'],
      ['customer', 90, 'An diese hier, vielen Dank.'],
    ],
  },
  {
    customer: 2,
    subject: '配送について',
    channel: 'chat',
    status: 'pending',
    labels: ['delivery'],
    isMine: true,
    hoursAgo: 3 * dayHours,
    messages: [
      ['customer', 0, 'こんにちは。荷物はいつ届きますか。'],
      ['team', 4, 'Hello! It left our warehouse this morning and takes two days.'],
      ['note', 5, 'The carrier shows it in Osaka. Ask again tomorrow.'],
    ],
  },
  {
    customer: 3,
    subject: 'متى يعود الإبريق الأزرق؟',
    channel: 'whatsapp',
    status: 'snoozed',
    priority: 'low',
    hoursAgo: 8 * dayHours,
    messages: [
      ['customer', 0, 'متى يعود الإبريق الأزرق إلى المخزون؟'],
      ['team', 60, 'In spring. We write to you as soon as it is here.'],
    ],
  },
  {
    customer: 4,
    subject: 'Знижка для шкіл',
    channel: 'email',
    status: 'closed',
    labels: ['sales'],
    hoursAgo: 30 * dayHours,
    messages: [
      ['customer', 0, 'Добрий день! Чи маєте ви знижку для шкіл?'],
      ['team', 180, 'Yes: 15 % from 20 pieces on. We have added it to your account.'],
      ['customer', 240, 'Дякую!'],
    ],
    rating: { score: 5, comment: 'Quick and friendly.' },
  },
  {
    customer: 0,
    subject: 'A call about the opening hours',
    channel: 'phone',
    status: 'closed',
    hoursAgo: 75 * dayHours,
    messages: [
      ['customer', 0, 'Are you open on Saturday?'],
      ['team', 2, 'Yes, from 10 to 4.'],
    ],
  },
]
