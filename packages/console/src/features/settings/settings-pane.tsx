import type { ComponentChildren, JSX } from 'preact'
import { isAdmin } from '../../store/roles.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { IconButton } from '../../ui/button.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Empty } from '../../ui/states.tsx'
import { KeysSection } from './keys-section.tsx'
import { PeopleSection } from './people-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { styles } from './settings-styles.ts'

const WebhooksSection = lazy('webhooks', () =>
  import('./webhooks-section.tsx').then((section) => section.WebhooksSection),
)

const ImportsSection = lazy('imports', () =>
  import('./imports-section.tsx').then((section) => section.ImportsSection),
)

const InboxesSection = lazy('inboxes', () =>
  import('./inboxes-section.tsx').then((section) => section.InboxesSection),
)
const AuditSection = lazy('audit', () =>
  import('./audit-section.tsx').then((section) => section.AuditSection),
)

const RetentionSection = lazy('retention', () =>
  import('./retention-section.tsx').then((section) => section.RetentionSection),
)

const OwnDataSection = lazy('own-data', () =>
  import('./own-data-section.tsx').then((section) => section.OwnDataSection),
)

const PrivacySection = lazy('privacy', () =>
  import('./privacy-section.tsx').then((section) => section.PrivacySection),
)

const LabelsSection = lazy('labels', () =>
  import('./labels-section.tsx').then((section) => section.LabelsSection),
)

const TeamSection = lazy('team', () => import('./team-section.tsx').then((section) => section.TeamSection))

/** Of each person. */
const own = { profile: ProfileSection, data: OwnDataSection } as const
/** Of the team. */
const ofTeam = {
  team: TeamSection,
  people: PeopleSection,
  inboxes: InboxesSection,
  webhooks: WebhooksSection,
  imports: ImportsSection,
  keys: KeysSection,
  labels: LabelsSection,
  privacy: PrivacySection,
  retention: RetentionSection,
  audit: AuditSection,
} as const
const sections = { ...own, ...ofTeam }
type SectionName = keyof typeof sections

function namesOf(some: Partial<typeof sections>): SectionName[] {
  return Object.keys(some) as SectionName[]
}

interface SettingsPaneProps {
  readonly store: Store
  /** A part of the address. */
  readonly section: string | undefined
  /** A part of the address behind it: the row of the section that is open. */
  readonly item: string | undefined
  /** The settings that this browser keeps. */
  readonly ofBrowser: ComponentChildren
  readonly addressOfSection: (section: string, item?: string) => string
  /** Of the list of all conversations with a label, whatever their state. */
  readonly addressOfLabel: (label: string) => string
  /** Shows the views on a narrow screen. */
  readonly onMenu: () => void
}

/** The settings of a person and, for admins, of the team: the list of the sections, and one of them. */
export function SettingsPane(props: SettingsPaneProps): JSX.Element {
  const { store, section, item, ofBrowser, addressOfSection, addressOfLabel, onMenu } = props
  const name = namesOf(sections).find((one) => one === section) ?? 'profile'
  const offered = namesOf(isAdmin(store) ? sections : own)
  const Section = sections[name]
  return (
    <section class="list-pane setup" aria-label={more.settings.title}>
      <header class="list-head">
        <h1>{more.settings.title}</h1>
        <IconButton class="nav-open" icon="menu" label={t.nav.openMenu} onClick={onMenu} />
      </header>
      <div style={styles.frame}>
        <nav aria-label={more.settings.sections} style={styles.sections}>
          {offered.map((one) => (
            <a
              key={one}
              class="nav-link"
              style={styles.section}
              href={addressOfSection(one)}
              aria-current={one === name ? 'page' : undefined}
            >
              {more.settings.names[one]}
            </a>
          ))}
        </nav>
        <div style={styles.body}>
          {offered.includes(name) ? (
            <>
              <h2>{more.settings.names[name]}</h2>
              <Section
                store={store}
                item={item}
                ofBrowser={ofBrowser}
                addressOf={(one?: string) => addressOfSection(name, one)}
                addressOfLabel={addressOfLabel}
              />
            </>
          ) : (
            <Empty title={more.settings.forbidden} hint={more.settings.forbiddenHint} />
          )}
        </div>
      </div>
    </section>
  )
}
