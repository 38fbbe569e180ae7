type Child = Node | string | undefined

/** Makes an element. Strings become text nodes, so nothing of a message is ever markup. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children.filter((child) => child !== undefined))
  return element
}

export function makeButton(label: string, onclick: () => void, className = ''): HTMLButtonElement {
  return make('button', { type: 'button', className, onclick }, label)
}

/** A button that shows a sign and has a name. */
export function makeIconButton(name: string, sign: string, onclick: () => void): HTMLButtonElement {
  return make(
    'button',
    { type: 'button', className: 'icon', ariaLabel: name, title: name, onclick },
    make('span', { ariaHidden: 'true' }, sign),
  )
}
