import mongoose from 'mongoose'

export type Filter = Record<string, unknown>

/** Marks operators that the adapter itself writes. Any other object in a filter is a value, never an operator. */
export function trusted<T extends object>(operators: T): T {
  return mongoose.trusted(operators as never) as T
}

/** Joins the filters by AND. */
export function allOf(filters: readonly Filter[]): Filter {
  return filters.length === 0 ? {} : { $and: filters }
}

export function equals(field: string, value: string | boolean | undefined): Filter[] {
  return value === undefined ? [] : [{ [field]: value }]
}

export function isOneOf(field: string, values: readonly unknown[]): Filter {
  return { [field]: trusted({ $in: [...values] }) }
}

/** Also matches rows without a value. */
export function isNoneOf(field: string, values: Iterable<string>): Filter[] {
  const list = [...values]
  return list.length === 0 ? [] : [{ [field]: trusted({ $nin: list }) }]
}

export function since(field: string, moment: string | number | undefined): Filter[] {
  return moment === undefined ? [] : [{ [field]: trusted({ $gte: moment }) }]
}

export function until(field: string, moment: string): Filter {
  return { [field]: trusted({ $lte: moment }) }
}

export function below(field: string, limit: number): Filter {
  return { [field]: trusted({ $lt: limit }) }
}

/** Rows whose text, which may be null, holds this one; it is in lower case, and letters beyond ASCII are compared as they are. */
export function holds(field: `$${string}`, text: string): Filter {
  const found = { $indexOfBytes: [{ $toLower: { $ifNull: [field, ''] } }, { $literal: text }] }
  return { $expr: trusted({ $gte: [found, 0] }) }
}

export function hasAll(field: string, values: readonly string[]): Filter[] {
  return values.length === 0 ? [] : [{ [field]: trusted({ $all: [...values] }) }]
}
