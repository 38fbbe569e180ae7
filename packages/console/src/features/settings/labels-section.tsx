import type { TagCount } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { readLabels } from '../../api/labels.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { locale } from '../../strings/strings.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { LabelDialog } from './label-dialog.tsx'
import { Cell, SettingsTable } from './settings-table.tsx'
import { useFresh } from './use-fresh.ts'

interface LabelsSectionProps {
  readonly store: Store
  /** Of the list of all conversations with a label, whatever their state. */
  readonly addressOfLabel: (label: string) => string
}

/** The labels of the team, with the conversations of each. */
export function LabelsSection({ store, addressOfLabel }: LabelsSectionProps): JSX.Element {
  const { value: labels, problem, read } = useFresh(() => readLabels(store.crm))
  const [open, setOpen] = useState<TagCount>()
  const texts = more.labels
  return (
    <>
      <p>{texts.hint}</p>
      {problem && <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />}
      {labels === undefined && !problem && <SkeletonRows count={4} rowHeight={40} />}
      {labels?.length === 0 && <Empty title={texts.none} hint={texts.noneHint} />}
      {labels !== undefined && labels.length > 0 && (
        <SettingsTable label={more.settings.names.labels} columns={texts.columns}>
          {labels.map((label) => {
            const count = label.count.toLocaleString(locale)
            return (
              <tr key={label.tag}>
                <Cell>{label.tag}</Cell>
                <Cell>
                  <a href={addressOfLabel(label.tag)} aria-label={texts.list(count, label.tag)}>
                    {count}
                  </a>
                </Cell>
                <Cell>
                  <Button isSmall onClick={() => setOpen(label)}>
                    {texts.change(label.tag)}
                  </Button>
                </Cell>
              </tr>
            )
          })}
        </SettingsTable>
      )}
      {open && (
        <LabelDialog
          store={store}
          label={open}
          others={labels?.filter(({ tag }) => tag !== open.tag) ?? []}
          onChanged={read}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
