import { join } from 'node:path'
import { beforeAll } from 'vitest'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { copySample } from '../../support/run/run-sample.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { type Answer, sql as askViews, rowsOf, serve, walk } from '../acceptance/served.ts'

/** Half a minute of work where no other file made the sample before. */
const SAMPLE_TIMEOUT_MS = 400_000

/** The sample, served by one API process for the tests of a file. */
export type ServedSample = {
  readonly base_url: () => string
  readonly get: (path: string) => Promise<Answer>
  /** Every item of a collection, in pages of 1000. */
  readonly all: (path: string) => Promise<Row[]>
  /** Rows of a SELECT over the views, as of now. */
  readonly sql: (query: string) => Promise<Row[]>
  /** Every item, in pages of `limit`. */
  readonly pages: (path: string, limit: number) => Promise<Row[]>
}

/** Serves the sample before the tests of the file. */
export function servedSample(): ServedSample {
  const home = tempFolder()
  let api: Awaited<ReturnType<typeof serve>>
  beforeAll(async () => {
    await copySample(home)
    api = await serve(join(home, 'warehouse'))
  }, SAMPLE_TIMEOUT_MS)
  const pages = (path: string, limit: number) => walk(api.get, path, limit)
  const sql = async (query: string) => {
    const warehouse = await openWarehouse({ root: join(home, 'warehouse') })
    try {
      return await askViews(warehouse, query)
    } finally {
      await warehouse.close()
    }
  }
  return { sql, base_url: () => api.base_url, get: (path) => api.get(path), all: (path) => pages(path, 1000), pages }
}

/** The items of an answer, which must be a success. */
export function itemsOf(answer: Answer): Row[] {
  if (answer.status !== 200) throw new TypeError(JSON.stringify(answer.body))
  return rowsOf(answer)
}
