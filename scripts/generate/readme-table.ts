import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Area, areaDescriptions } from '../../packages/core/src/contract/areas.ts'
import { withGeneratedPart } from './generated-part.ts'

export const readmePath = 'README.md'

/** Pages that say more about an area than the reference of its operations. */
const pagesOfAreas: { readonly [Name in Area]?: string } = {
  analytics: 'docs/adr/0015-analytics.md',
  auth: 'docs/roles.md',
  conversations: 'docs/console.md',
  customers: 'docs/adr/0010-erasure-in-pages.md',
  events: 'docs/http.md',
  imports: 'docs/importing.md',
  integrations: 'docs/external-crms.md',
  inboxes: 'docs/email-providers.md',
  mails: 'docs/email-in.md',
  messages: 'docs/email.md',
  privacy: 'docs/privacy.md',
  telephony: 'docs/operating.md#telephony',
  users: 'docs/roles.md',
  webhooks: 'docs/webhooks.md',
  widget: 'docs/widget.md',
}

const titlesOfAreas: { readonly [Name in Area]?: string } = {
  apiKeys: 'API keys',
  auth: 'Sign-in',
  imports: 'Imports',
  mails: 'E-mail that arrives',
  messages: 'Messages and e-mail that leaves',
  privacy: 'Data of the signed-in user',
  privacyRequests: 'Privacy requests',
  doors: 'Doors that do not work',
  suppressedAddresses: 'Suppressed addresses',
  widget: 'Chat widget',
}

/** Features that are no area of the API. */
const beside: readonly (readonly [title: string, text: string, page: string])[] = [
  ['Console', 'Where a team works all day, at `/console/`: live lists, drafts, presence.', 'docs/console.md'],
  ['SDK', 'A typed client for all operations, receivers of webhooks, a test kit.', 'docs/sdk.md'],
  ['CLI', 'A command for every operation, and tools for webhooks.', 'docs/cli.md'],
  [
    'Operation',
    '`crm-server`: doctor, backup, restore, copy, migrate; metrics and alerts.',
    'docs/operating.md',
  ],
  ['Scaling', 'MongoDB and Redis: any number of API and worker processes.', 'docs/scaling.md'],
]

/** Returns the README with its table of features, which an area of the contract cannot be missing from. */
export function renderReadme(root: string): string {
  const page = readFileSync(join(root, readmePath), 'utf8')
  const areas = (Object.keys(areaDescriptions) as Area[]).map((area) =>
    rowOf(titlesOfAreas[area] ?? titleOf(area), areaDescriptions[area], pagesOfAreas[area]),
  )
  const others = beside.map(([title, text, link]) => rowOf(title, text, link))
  return withGeneratedPart(page, 'features', ['| | |', '|---|---|', ...areas, ...others].join('\n'))
}

function rowOf(title: string, text: string, page: string | undefined): string {
  return `| ${page === undefined ? title : `[${title}](${page})`} | ${text} |`
}

/** `privacyRequests` is “Privacy requests”. */
function titleOf(area: string): string {
  const words = area.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
