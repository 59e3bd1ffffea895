import { isTooLarge } from '../../http/page-size.ts'
import type { Query } from '../../http/query.ts'
import type { Answer, Asker } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import type { Side } from '../difference.ts'
import { tapeAt } from '../world.ts'

type Item = Readonly<Record<string, unknown>>
type List = { readonly path: string; readonly query: Query }

/** Pages read of each list: of one item, and of seven. */
const PAGES = [
  { limit: 1, pages_max: 3 },
  { limit: 7, pages_max: 3 },
] as const

/** A1: a list read in pages of 1, 7 and 1000 is the same list, and all pages of one cursor are one instant. */
export const PAGES_AGREE: Check = {
  id: 'A1',
  title: 'Pages',
  compares: 'a list in pages of 1 and 7, and in one page of 1000',
  share: 3,
  async run(context) {
    for (const list of await listsOf(context)) {
      if (!context.more()) return
      for (const { limit, pages_max } of PAGES) await comparePages(context, list, limit, pages_max)
      await lastPage(context, list)
    }
  },
}

/** Reads a list page by page without as_of, as most callers do, then whole as of the instant of its first page. */
async function comparePages({ ask, find }: CheckContext, { path, query }: List, limit: number, pages_max: number) {
  const pages = await readPages(ask, path, { ...query, limit }, pages_max)
  const [first] = pages
  if (first === undefined || first.status !== 200) return
  const whole = await ask.get<readonly Item[]>(path, { ...query, as_of: first.meta.published_at, limit: 1000 })
  if (isTooLarge(whole.code)) return
  const codes = [first, whole].map(({ request, code }) => ({ request, value: code })) as [Side, Side]
  if (!find.same('error.code', ...codes)) return
  let from = 0
  for (const page of pages) {
    const side = { request: page.request, value: page.data }
    const expected = { request: whole.request, value: whole.data.slice(from, from + page.data.length) }
    if (!find.equal(side, expected, new Set(), `data[from ${from}]`)) return
    from += page.data.length
  }
  const last = pages.at(-1)!
  if (last.page?.has_more === false)
    find.same(
      'number of items',
      { request: last.request, value: from },
      { request: whole.request, value: whole.data.length },
    )
}

async function readPages(
  ask: Asker,
  path: string,
  query: Query,
  pages_max: number,
): Promise<Answer<readonly Item[]>[]> {
  const pages: Answer<readonly Item[]>[] = []
  for (let cursor: string | null = ''; cursor !== null && pages.length < pages_max; ) {
    const page: Answer<readonly Item[]> = await ask.again(path, {
      ...query,
      cursor: cursor === '' ? undefined : cursor,
    })
    if (page.status !== 200) break
    pages.push(page)
    cursor = page.page?.next_cursor ?? null
  }
  return pages
}

/** A page that holds the whole list says that nothing follows. */
async function lastPage({ ask, find, world }: CheckContext, { path, query }: List): Promise<void> {
  const whole = await ask.get<readonly Item[]>(path, { ...query, as_of: world.at, limit: 1000 })
  if (whole.status !== 200 || whole.data.length === 0 || whole.page?.next_cursor != null) return
  const exact = await ask.again<readonly Item[]>(path, { ...query, as_of: world.at, limit: whole.data.length })
  const side = (answer: Answer, value: unknown): Side => ({ request: answer.request, value })
  find.same('page.has_more', side(exact, exact.page?.has_more), side(whole, whole.page?.has_more))
}

async function listsOf(context: CheckContext): Promise<readonly List[]> {
  const { ask, world, sampler } = context
  const indexes = (await world.indexes(ask)).data
  const markets = await world.priced(ask)
  const [index] = sampler.shuffled(indexes, ({ index_id }) => index_id)
  const traded = markets.filter(world.tradesArePublic).slice(0, 2)
  const lists = ['/indexes', '/markets', '/events', '/severity-indexes'].map((path) => ({ path, query: {} }))
  if (index !== undefined) {
    lists.push({ path: `/indexes/${index.index_id}/versions`, query: {} })
    lists.push({ path: `/indexes/${index.index_id}/prices`, query: {} })
    if (index.active_version_id != null)
      lists.push({ path: `/indexes/${index.index_id}/versions/${index.active_version_id}/constituents`, query: {} })
  }
  for (const market of traded)
    if (((await tapeAt(ask, market, world.at)).data ?? []).length > 0)
      lists.push({ path: `/markets/${market.market_id}/trades`, query: {} })
  for (const market of markets.slice(0, 1)) lists.push({ path: `/markets/${market.market_id}/prices`, query: {} })
  return lists
}
