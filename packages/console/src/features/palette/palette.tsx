import type { JSX } from 'preact'
import { t } from '../../strings/strings.ts'
import { Chooser } from '../../ui/chooser.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { keyText } from '../../ui/key-text.ts'
import type { Command } from './command.ts'
import './palette.css'

interface PaletteProps {
  readonly commands: readonly Command[]
  readonly onClose: () => void
}

/** Every command of the screen, found by its words. */
export function Palette({ commands, onClose }: PaletteProps): JSX.Element {
  return (
    <Dialog title={t.dialogs.palette} onClose={onClose}>
      <Chooser
        label={t.dialogs.paletteHint}
        choices={commands}
        onChoose={(id) => {
          onClose()
          commands.find((command) => command.id === id)?.run()
        }}
      />
    </Dialog>
  )
}

/** Every key of the screen. */
export function KeyHelp({ commands, onClose }: PaletteProps): JSX.Element {
  return (
    <Dialog title={t.dialogs.keys} onClose={onClose}>
      <dl class="keys">
        {commands
          .filter(({ key }) => key !== undefined)
          .map(({ id, text, key }) => (
            <div key={id}>
              <dt>{text}</dt>
              <dd>
                <kbd>{keyText(key ?? '')}</kbd>
              </dd>
            </div>
          ))}
      </dl>
    </Dialog>
  )
}
