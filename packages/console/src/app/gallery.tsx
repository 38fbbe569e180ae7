import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '../strings/strings.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Chooser } from '../ui/chooser.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon, iconNames } from '../ui/icon.tsx'
import { Banner, Empty, ProblemBox, SkeletonRows } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { type Theme, theme } from './theme.ts'
import './gallery.css'

const nothing = () => undefined
const ids = Array.from({ length: 10_000 }, (_, index) => `Row ${index + 1}`)

/** The tokens that have a value for light and one for dark. */
function colourNames(): string[] {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
  return rules.flatMap((rule) => {
    if (!(rule instanceof CSSStyleRule) || rule.selectorText !== ':root') return []
    return [...rule.style].filter(
      (name) => name.startsWith('--') && rule.style.getPropertyValue(name).startsWith('light-dark('),
    )
  })
}

/** Each building block in its states. Only builds from the sources contain it. */
export function Gallery(): JSX.Element {
  const [hasDialog, setDialog] = useState(false)
  return (
    <main class="gallery">
      <h1>Building blocks</h1>
      <p>
        {(['light', 'dark', 'system'] as const satisfies readonly Theme[]).map((name) => (
          <Button key={name} isSmall onClick={() => (theme.value = name)}>
            {t.nav.themes[name]}
          </Button>
        ))}
      </p>
      <Block name="Colours">
        {colourNames().map((name) => (
          <span key={name} class="gallery-colour">
            <span style={{ background: `var(${name})` }} />
            <code>{name}</code>
          </span>
        ))}
      </Block>
      <Block name="Icons">
        {iconNames.map((name) => (
          <span key={name} class="gallery-colour">
            <Icon name={name} />
            <code>{name}</code>
          </span>
        ))}
      </Block>
      <Block name="Button">
        <Button onClick={nothing}>Normal</Button>
        <Button kind="primary" onClick={nothing}>
          Primary
        </Button>
        <Button kind="plain" onClick={nothing}>
          Plain
        </Button>
        <Button isDisabled onClick={nothing}>
          Disabled
        </Button>
        <Button isSmall onClick={nothing}>
          Small
        </Button>
        <IconButton icon="clock" label="Icon" onClick={nothing} />
      </Block>
      <Block name="Avatar, chip, badge">
        <Avatar name="Ada Lovelace" />
        <Avatar name="ليلى" isSmall />
        <span class="chip">billing</span>
      </Block>
      <Block name="Field">
        <input class="input" aria-label="Empty" placeholder="Empty" />
        <input class="input" aria-label="Filled" value="Filled" />
        <p class="field-error">An error below a field</p>
      </Block>
      <Block name="States">
        <Empty title="Nothing here" hint="The next step stands here." />
        <ProblemBox
          title="It failed"
          reason={{ sentence: 'The reason.', detail: 'Request 0f3a' }}
          onRetry={nothing}
        />
        <Banner>{t.status.offline}</Banner>
        <SkeletonRows count={2} rowHeight={60} />
      </Block>
      <Block name="Toast, dialog">
        <Button onClick={() => showToast('Closed', { action: { text: t.actions.undo, run: nothing } })}>
          Toast with undo
        </Button>
        <Button
          onClick={() => showToast('It was taken back', { reason: { sentence: 'The reason.', detail: '' } })}
        >
          Toast of a failure
        </Button>
        <Button onClick={() => setDialog(true)}>Dialog</Button>
        {hasDialog && (
          <Dialog title="A dialog" onClose={() => setDialog(false)}>
            <Chooser
              label="Choose"
              choices={ids.slice(0, 20).map((id) => ({ id, text: id, key: 'x' }))}
              onChoose={() => setDialog(false)}
            />
          </Dialog>
        )}
      </Block>
      <Block name="Virtual list, 10,000 rows">
        <div class="gallery-list">
          <VirtualList
            label="Rows"
            ids={ids}
            rowHeight={40}
            chosenId={undefined}
            renderRow={(id) => <Button kind="plain">{id}</Button>}
            onNearEnd={nothing}
          />
        </div>
      </Block>
    </main>
  )
}

function Block({
  name,
  children,
}: {
  readonly name: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <section>
      <h2>{name}</h2>
      <div class="gallery-block">{children}</div>
    </section>
  )
}
