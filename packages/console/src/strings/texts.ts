/** The same names, with texts of another language. */
export type Texts<T> = T extends string
  ? string
  : T extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof T]: Texts<T[Name]> }
