/** Moves the focus to the next or previous pane of the screen. A screen reader then says its name. */
export function focusPane(step: 1 | -1): void {
  const all = document.querySelectorAll<HTMLElement>('.nav, .list-pane, .thread-pane, .customer-pane')
  const panes = [...all].filter((pane) => pane.checkVisibility({ visibilityProperty: true }))
  const now = panes.findIndex((pane) => pane.contains(document.activeElement))
  const at = now < 0 && step < 0 ? -1 : now + step
  const pane = panes.at(at % panes.length)
  if (pane === undefined) return
  pane.tabIndex = -1
  const row = pane.querySelector<HTMLElement>('.row[tabindex="0"]')
  ;(row ?? pane).focus()
}
