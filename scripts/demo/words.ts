export interface Person {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
}

export const agents: readonly Person[] = [
  { firstName: 'Grace', lastName: 'Hopper', email: 'grace@demo.example.com' },
  { firstName: 'Katherine', lastName: 'Johnson', email: 'katherine@demo.example.com' },
  { firstName: 'Alan', lastName: 'Turing', email: 'alan@demo.example.com' },
]

export const firstNames = [
  'Amira',
  'Anna',
  'Bruno',
  'Chen',
  'Clara',
  'David',
  'Elif',
  'Emeka',
  'Fatima',
  'Georg',
  'Grace',
  'Hana',
  'Igor',
  'Ines',
  'Jonas',
  'Kofi',
  'Lena',
  'Lucas',
  'Maria',
  'Mateo',
  'Nadia',
  'Noah',
  'Olga',
  'Priya',
  'Rosa',
  'Sofia',
  'Tariq',
  'Uma',
  'Viktor',
  'Yuki',
]
export const lastNames = [
  'Andersen',
  'Bauer',
  'Costa',
  'Diallo',
  'Evans',
  'Fischer',
  'Garcia',
  'Haddad',
  'Ito',
  'Jansen',
  'Kaya',
  'Lopez',
  'Meyer',
  'Novak',
  'Okafor',
  'Petrov',
  'Quinn',
  'Rossi',
  'Silva',
  'Tanaka',
  'Usman',
  'Vogel',
  'Wang',
  'Yilmaz',
]
export const companies = [
  'Harbour Books',
  'North Bakery',
  'Tin Robot Ltd',
  'Green Roof',
  'Studio Nine',
  'Old Mill',
]
export const tags = ['vip', 'newsletter', 'wholesale', 'returning', 'trial']
export const labels = ['refund', 'complaint', 'praise', 'follow-up']
export const replies = [
  'Thank you for your message. I am looking into it.',
  'A new parcel is on its way; it arrives within three days.',
  'The money is on its way to your account.',
  'Could you send us a picture of it?',
]

interface Topic {
  readonly subject: string
  readonly label: string
  readonly message: string
}

export const topics: readonly Topic[] = [
  { subject: 'Where is my order NUMBER?', label: 'delivery', message: 'It should have come on Monday.' },
  {
    subject: 'The parcel of order NUMBER is damaged',
    label: 'delivery',
    message: 'The box is open, and a part is missing.',
  },
  { subject: 'Wrong size in order NUMBER', label: 'exchange', message: 'I ordered 42 and got 39.' },
  {
    subject: 'Invoice for order NUMBER',
    label: 'billing',
    message: 'My company needs an invoice with its address.',
  },
  {
    subject: 'I was charged twice for NUMBER',
    label: 'billing',
    message: 'Please look at my card statement.',
  },
  { subject: 'I cannot sign in', label: 'account', message: 'The page says that my password is wrong.' },
  { subject: 'Change of address', label: 'account', message: 'We are moving next week.' },
  { subject: 'Do you ship to Norway?', label: 'question', message: 'And what does it cost?' },
  { subject: 'The lamp does not switch on', label: 'product', message: 'I have tried two bulbs.' },
  { subject: 'Thank you for your help', label: 'praise', message: 'That was quick.' },
]
