/** One line for the developer of the page. */
export function say(sentence: string): void {
  console.warn(`crmkit chat widget: ${sentence}`)
}
