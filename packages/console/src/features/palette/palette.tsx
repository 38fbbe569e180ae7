import type { JSX } from 'preact'
import { t } from '../../strings/strings.ts'
import { Chooser } from '../../ui/chooser.tsx'
import { keyText } from '../../ui/key-text.ts'
import type { Command } from './command.ts'

interface PaletteProps {
  readonly commands: readonly Command[]
  readonly onClose: () => void
}

/** Every command of the screen, found by its words: the inside of its dialog. */
export function PaletteContent({ commands, onClose }: PaletteProps): JSX.Element {
  return (
    <Chooser
      label={t.dialogs.paletteHint}
      choices={commands}
      onChoose={(id) => {
        onClose()
        commands.find((command) => command.id === id)?.run()
      }}
    />
  )
}

interface KeyHelpProps extends Pick<PaletteProps, 'commands'> {
  /** Keys of the field for a message. */
  readonly written: readonly Pick<Command, 'id' | 'text' | 'key'>[]
}

/** Every key of the screen. */
export function KeyHelpContent({ commands, written }: KeyHelpProps): JSX.Element {
  return (
    <dl class="keys">
      {[...commands, ...written]
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
  )
}
