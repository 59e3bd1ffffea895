import { CALL_OPTIONS, checkedObject, knownOptions } from '../given.ts'
import { createPageCheck } from '../http/answer.ts'
import type { Call } from '../http/call.ts'
import type { PrivateHttp } from './private-http.ts'
import type { PrivateQuery } from './query-text.ts'

/** Iterates over a list; reads the next page when it is reached. */
export async function* pagesOf<T>(
  http: PrivateHttp,
  path: string,
  filter: PrivateQuery = {},
  call: Call = {},
): AsyncGenerator<T> {
  const nextOf = createPageCheck()
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { ...checkedObject(filter, 'filter'), cursor }
    const options = knownOptions(call, CALL_OPTIONS)
    const answer = await http.send<readonly T[]>({ ...options, method: 'GET', path, query })
    cursor = nextOf(answer)
    yield* answer.data
  }
}
