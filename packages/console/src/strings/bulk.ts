/** The texts of a change of many conversations. */
export const bulk = {
  label: 'Change the chosen conversations',
  chosen: (count: number) => `${count.toLocaleString('en')} chosen`,
  all: (count: string) => `Choose all ${count}`,
  clear: 'Choose none',
  inbox: 'Inbox',
  progress: (done: number, total: number) =>
    `${done.toLocaleString('en')} of ${total.toLocaleString('en')} are done`,
  done: (changed: number, failed: number) =>
    failed
      ? `${changed.toLocaleString('en')} changed, ${failed.toLocaleString('en')} did not`
      : `${changed.toLocaleString('en')} changed`,
  partlyUndone: (failed: number) =>
    `As it was before, except for ${failed.toLocaleString('en')} that somebody has changed since`,
}
