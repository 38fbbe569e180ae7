/** Shown before anything else runs, so it is apart from the other texts. */
export const tooOld: string =
  'This browser is too old for the console. Update it, or use a current Chrome, Edge, Firefox or Safari.'
