import { isObject } from '../../primitives/canonical-json.ts'
import { isServiceError } from '../../primitives/errors.ts'
import type { AnswerApi } from '../http/public-api.ts'
import type { Query } from '../http/query.ts'
import { UnreadableAnswer } from './answer-errors.ts'
import { answerFault, askedValues, type Route, routeOf } from './answer-fault.ts'
import type { Facts } from './compare-shown.ts'
import type { Findings } from './report.ts'

/** Called with each readable record and the path of its read, with {parameters}. */
type OnRecord = (path: string, record: Facts) => void

type Options = {
  readonly findings: Findings
  /** Whether the answers have a later schema than this release: then a field that it does not know is only named. */
  readonly isNewer: () => boolean
  readonly on_record: OnRecord
}

/**
 * Compares every answer with the contract before anything else reads it. A record with a fault is a finding; a list goes on without
 * it, and a read of it alone ends with UnreadableAnswer.
 */
export function createCheckedApi(api: AnswerApi, options: Options): AnswerApi {
  const answers: AnswerApi['answers'] = async function* (path, query = {}, call) {
    for await (const answer of api.answers(path, query, call)) {
      const data = readableRecords(path, query, answer.data, options)
      checkPage(path, answer.page, options.findings)
      yield { ...answer, data }
    }
  }
  const pages = async function* <T>(path: string, query?: Query): AsyncGenerator<readonly T[]> {
    for await (const { data } of answers(path, query)) yield data as readonly T[]
  }
  const list = async <T>(path: string, query?: Query) => {
    const items: T[] = []
    for await (const page of pages<T>(path, query)) items.push(...page)
    return items
  }
  const readable = <T>(path: string, query: Query, record: T): T => {
    const route = routeOf(path)
    if (!isReadable(route, record, askedValues(route, query), options))
      throw new UnreadableAnswer(`the answer of ${path} is not as the contract says`)
    return record
  }
  return {
    ...api,
    answers,
    pages,
    list,
    read: async <T>(path: string, query: Query = {}) => readable(path, query, await api.read<T>(path, query)),
    find: async <T>(path: string, query: Query = {}) => {
      const found = await api.find<T>(path, query)
      return found === null ? null : readable(path, query, found)
    },
    listPublic: async <T>(path: string, query?: Query) => {
      try {
        return await list<T>(path, query)
      } catch (error) {
        if (!isServiceError(error, 'SOURCE_NOT_PUBLIC')) throw error
        return null
      }
    },
  }
}

function readableRecords(path: string, query: Query, data: unknown, options: Options): readonly unknown[] {
  const route = routeOf(path)
  if (!Array.isArray(data)) {
    options.findings.fail('answers', `GET ${path}`, 'data is no list')
    return []
  }
  const asked = askedValues(route, query)
  return data.filter((record) => isReadable(route, record, asked, options))
}

function isReadable(
  route: Route,
  record: unknown,
  asked: Readonly<Record<string, string>>,
  { findings, isNewer, on_record }: Options,
): boolean {
  findings.count('answers')
  const fault = answerFault(route, record, asked)
  if (fault?.is_unknown && isNewer())
    findings.skip('answers', `not known to this release, so not checked: ${route.path}, ${fault.message}`)
  else if (fault !== null) findings.fail('answers', subjectOf(route, record), fault.message)
  const is_readable = fault === null || fault.is_unknown
  if (is_readable) on_record(route.path, record as Facts)
  return is_readable
}

/** Names a record by its read and its own id. */
function subjectOf({ path, named }: Route, record: unknown): string {
  const asked = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name]!)
  const ids = isObject(record) ? Object.entries(record).filter(([name]) => name.endsWith('_id')) : []
  const own = ids.find(([name, value]) => typeof value === 'string' && !(name in named))
  return own === undefined ? `GET ${asked}` : `GET ${asked}, ${own[0]} ${String(own[1])}`
}

/** Checks that an answer says whether another page follows: without it, the rest of a list would be left out in silence. */
function checkPage(path: string, page: unknown, findings: Findings): void {
  const { next_cursor, has_more } = isObject(page) ? page : {}
  const is_page = next_cursor === null || typeof next_cursor === 'string'
  if (!is_page || has_more !== (next_cursor !== null))
    findings.fail('answers', `GET ${path}`, 'page does not say whether another one follows')
}
