import type { ErrorCode } from '../../../primitives/error-codes.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import type { PublicApi } from '../../http/public-api.ts'
import type { Query } from '../../http/query.ts'
import { createHttpVerifier } from '../../verify/verify-over-http.ts'
import type { Answer, Asker } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import { sampledLevels } from './levels-sampled.ts'

/** A19: a level recomputed from HTTP records alone has the same digits. */
export const RECOMPUTED_AGREES: Check = {
  id: 'A19',
  title: 'Recomputed levels',
  compares: 'a published level, and the level calculated again from its public records',
  share: 5,
  async run(context) {
    context.find.lacks('SQL rows over HTTP')
    const verify = createHttpVerifier(publicApiOf(context))
    for await (const level of sampledLevels(context)) {
      const { index_id, observation_id } = level.data
      const mismatch = await verify({ index_id, observation_id })
      const request = level.request
      context.find.holds(
        mismatch === null,
        mismatch?.step ?? 'level',
        { request, value: mismatch?.expected ?? level.data.level },
        { request: `${request}: recomputed`, value: mismatch?.actual ?? level.data.level },
      )
    }
  },
}

/** The reads of the verifier through the polite transport of the run. */
function publicApiOf({ ask }: CheckContext): PublicApi {
  const read = async <T>(path: string, query?: Query) => dataOf(await ask.get<T>(path, query))
  const list = async <T>(path: string, query?: Query) => dataOf(await ask.list<T>(path, query, 50))
  return {
    read,
    list,
    find: async <T>(path: string, query?: Query) => {
      const answer = await ask.get<T>(path, query)
      return isAbsent(answer) ? null : dataOf(answer)
    },
    listPublic: async <T>(path: string, query?: Query) => {
      const answer = await ask.list<T>(path, query, 50)
      return answer.code === 'SOURCE_NOT_PUBLIC' ? null : dataOf(answer)
    },
    pages: <T>(path: string, query?: Query) => pagesOf<T>(ask, path, query),
  }
}

async function* pagesOf<T>(ask: Asker, path: string, query: Query = {}): AsyncGenerator<readonly T[]> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Answer<readonly T[]> = await ask.get<readonly T[]>(path, { limit: 1000, ...query, cursor })
    yield dataOf(page)
    cursor = page.page?.next_cursor ?? null
  }
}

function isAbsent({ status, code }: Answer): boolean {
  return code === 'SOURCE_NOT_PUBLIC' || (status === 404 && code !== 'ROUTE_NOT_FOUND')
}

/** @throws {ServiceError} the refusal */
function dataOf<T>({ code, data, request }: Answer<T>): T {
  if (code !== null) throw new ServiceError(code as ErrorCode, `${request} was refused with ${code}`)
  return data
}
