import { isObject } from '../../primitives/canonical-json.ts'
import type { AnswerSchema } from '../contract/answer-schema.ts'
import { ANSWERS } from '../contract/answers.ts'

/** Lists of the methodologies of indexes, ratings and severity. */
export const METHODOLOGY_LISTS = ['/methodologies', '/market-rating-methodologies', '/severity-methodologies'] as const

/** Reads whose answers have the records of a kind; more than one: a record is of one of them. */
const READS: Readonly<Record<string, readonly string[]>> = {
  index_observation: ['/indexes/{index_id}/prices/{observation_id}'],
  index_version: ['/indexes/{index_id}/versions/{version_id}'],
  constituents: ['/indexes/{index_id}/versions/{version_id}/constituents'],
  methodology: METHODOLOGY_LISTS,
  rating: ['/ratings'],
  severity: ['/severity-assessments'],
  roster: ['/governance/roster'],
  policy: ['/governance/policy'],
  proposal: ['/governance/proposals'],
  governance_act: ['/governance/acts'],
  notice: ['/governance/notices'],
  restatement: ['/governance/restatements'],
  complaint: ['/governance/complaints'],
  eligibility_policy: ['/eligibility/policies'],
  pro_forma: ['/indexes/{index_id}/pro-forma'],
}
const META = ['request_id', 'published_at', 'schema_version']

/**
 * Returns the fields that every answer of the contract has, and a saved one lacks, in order. Parts that are shown on request, such as
 * the inputs of a level, may be absent.
 * @param kinds kind of the record of each item of the data, in order; none: the receipt proves no record
 */
export function missingFields(answer: unknown, kinds: readonly string[]): readonly string[] {
  const { data, meta, page } = isObject(answer) ? answer : {}
  const items = (Array.isArray(data) ? data : [data]) as readonly unknown[]
  const missing = items.flatMap((item, n) => missingOf(item, kinds[n] ?? ''))
  const of_meta = absentIn(meta, META).map((field) => `meta.${field}`)
  const of_page = Array.isArray(data) ? absentIn(page, ['next_cursor', 'has_more']).map((field) => `page.${field}`) : []
  return [...new Set([...missing, ...of_meta, ...of_page])].sort()
}

function missingOf(item: unknown, kind: string): readonly string[] {
  const found = (READS[kind] ?? []).map((path) => absentIn(item, requiredBy(ANSWERS[path]![0])))
  return found.reduce<readonly string[]>((fewest, one) => (one.length < fewest.length ? one : fewest), found[0] ?? [])
}

function requiredBy({ required = [] }: AnswerSchema): readonly string[] {
  return required
}

function absentIn(value: unknown, fields: readonly string[]): readonly string[] {
  const object = isObject(value) ? value : {}
  return fields.filter((field) => !(field in object))
}
