import type { Row } from '../../warehouse/schema.ts'
import type { RouteRequest } from '../server/handler.ts'
import { textParameter } from './parameters.ts'

/** Filter of a list from the catalogue. */
export type RowTest = (row: Row) => boolean

/** Returns filters that compare a column with the parameter of the same name. */
export function equalTests(request: RouteRequest, names: readonly string[]): RowTest[] {
  return names.flatMap((name) => {
    const wanted = textParameter(request, name)
    return wanted === null ? [] : [(row: Row) => row[name] === wanted]
  })
}

/** Returns the filter by title: every requested word is part of it, in any case. */
export function titleTests(request: RouteRequest): RowTest[] {
  const words = textParameter(request, 'q')?.toLowerCase().split(/\s+/).slice(0, WORDS_MAX)
  if (words === undefined) return []
  return [
    (row) => {
      const title = String(row.title).toLowerCase()
      return words.every((word) => title.includes(word))
    },
  ]
}

/** A query of 100 characters has at most 50 words. */
const WORDS_MAX = 50
