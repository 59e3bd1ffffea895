import { type PageLimit, PUBLIC_READS } from '../contract/operations.ts'
import { refusedArgument } from '../given.ts'
import type { Query } from './query.ts'

/** Page of a list that this client does not know. */
const UNKNOWN: PageLimit = { max: 1000 }

/**
 * Returns the records of the largest page of a list: `limit` of the query, or else the most that its parameters allow.
 * @param path  below /v1
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID: `limit` is no whole number; its range is the service's to judge
 */
export function pageMax(path: string, query: Query): number {
  const { limit } = query
  if (limit != null) return checkedLimit(limit)
  const { max, with: smaller = {} } = limitOf(path)
  const given = Object.entries(smaller).filter(([name]) => isGiven(query[name]))
  return Math.min(max, ...given.map(([, most]) => most))
}

function limitOf(path: string): PageLimit {
  const parts = path.split('/')
  const known = Object.values(PUBLIC_READS).find(([template]) => isOf(template.split('/'), parts))
  return known?.[2] ?? UNKNOWN
}

function isOf(template: readonly string[], parts: readonly string[]): boolean {
  return template.length === parts.length && template.every((part, n) => part.startsWith('{') || part === parts[n])
}

const isGiven = (value: Query[string]) => value != null && value !== '' && value !== false

function checkedLimit(limit: unknown): number {
  const records = typeof limit === 'string' ? Number(limit) : limit
  if (Number.isSafeInteger(records)) return records as number
  throw refusedArgument('limit', limit, 'a whole number')
}
