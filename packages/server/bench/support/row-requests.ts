import { agents, labelOf, makeWords, seededDays } from './row-seed.ts'

export interface RowRequest {
  name: string
  /** The path of the n-th request; a search asks for other words each time. */
  path(index: number): string
  /** A search has a goal of its own. */
  isSearch: boolean
}

const customers = '/api/v1/customers?limit=20'
const conversations = '/api/v1/conversations?limit=20'
const words = makeWords(20_000)

function since(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString()
}

const list = (name: string, path: string): RowRequest => ({ name, path: () => path, isSearch: false })
const search = (name: string, path: (index: number) => string): RowRequest => ({ name, path, isSearch: true })

/** A word that some rows in a thousand hold. */
const common = (index: number) => words[20 + index] as string
/** A word that a few rows in a million hold. */
const rare = (index: number) => words[15_000 + index] as string

/** Every list and search that a person waits for, and the pages far behind. `ids` are rows that exist. */
export function rowRequests(ids: { customer: string; conversation: string; inbox: string }): RowRequest[] {
  const label = `label=${labelOf(20)}`
  return [
    list('customer by id', `/api/v1/customers/${ids.customer}`),
    list('customers, first page', customers),
    list('customers, status', `${customers}&status=inactive`),
    list('customers, tier', `${customers}&tier=gold`),
    list('customers, tag', `${customers}&tag=vip`),
    list('customers, tier + status', `${customers}&tier=gold&status=inactive`),
    list('customers, tag + status', `${customers}&tag=vip&status=inactive`),
    list('customers, by last name', `${customers}&sort=lastName`),
    list('customers, tag by last name', `${customers}&tag=vip&sort=lastName`),
    list('customers, updated in 1 day', `${customers}&updatedSince=${since(3)}`),
    list(`customers, updated in ${seededDays} days`, `${customers}&updatedSince=${since(seededDays)}`),
    list('customers, updated in 1 day, by updatedAt', `${customers}&updatedSince=${since(3)}&sort=updatedAt`),
    list('customers, page 1,000', `${customers}&page=1000`),
    search('customers, a word never asked', (n) => `${customers}&search=${rare(n)}`),
    search('customers, first + last name', (n) => `${customers}&search=${words[n % 300]}%20${common(n)}`),
    search('customers, a common word', (n) => `${customers}&search=${common(n)}`),
    search('customers, part of an address', (n) => `${customers}&search=person${1_000 + n * 37}`),
    search('customers, two letters', () => `${customers}&search=ba`),
    search('customers, no match', (n) => `${customers}&search=zzqx${n}`),
    list('conversation by id', `/api/v1/conversations/${ids.conversation}`),
    list('messages of a conversation', `/api/v1/conversations/${ids.conversation}/messages`),
    list('conversations, first page', conversations),
    list('conversations, status', `${conversations}&status=open`),
    list('conversations, assignee', `${conversations}&assignedTo=${agents[3]}`),
    list('conversations, nobody', `${conversations}&assignedTo=none`),
    list('conversations, inbox', `${conversations}&inboxId=${ids.inbox}`),
    list('conversations, label', `${conversations}&${label}`),
    list('conversations, status + label', `${conversations}&status=open&${label}`),
    list('conversations, status + assignee', `${conversations}&status=open&assignedTo=${agents[3]}`),
    list('conversations, label + assignee', `${conversations}&${label}&assignedTo=${agents[3]}`),
    list('conversations, by priority', `${conversations}&sort=priority`),
    list('conversations, updated in 1 day', `${conversations}&updatedSince=${since(3)}`),
    list('conversations, page 1,000', `${conversations}&page=1000`),
    search('conversations, a rare word', (n) => `${conversations}&search=${rare(n)}`),
    search('conversations, a common word', (n) => `${conversations}&search=${common(n)}`),
    search('conversations, two words', (n) => `${conversations}&search=${common(n)}%20${rare(n)}`),
    search('conversations, a word + status', (n) => `${conversations}&search=${common(n)}&status=open`),
    search(
      'conversations, a rare word + nobody',
      (n) => `${conversations}&search=${rare(n)}&assignedTo=none`,
    ),
    search('conversations, within a word', (n) => `${conversations}&search=${common(n).slice(1)}`),
    list('events, first page', '/api/v1/events?limit=100'),
    list('events, latest', '/api/v1/events?after=latest&limit=100'),
    list('deliveries, failed', '/api/v1/webhooks/whk_bench/logs?status=failed'),
  ]
}
