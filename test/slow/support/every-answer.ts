import { type Body, type Item, timelessAnswer } from '../../support/timeless-answer.ts'

/** Everything that a service answers about a month, asked through the public API alone. */

/** Answers by request; an answer is its text without the fields that may differ. */
export type Answers = ReadonlyMap<string, string>

/** Most pages of one list that are read. */
const PAGES_MAX = 40
const AT_ONCE = 4

/**
 * Asks for the catalogue, and for prices, books, histories, trades, candles, resolutions and levels of everything in it, as of each
 * instant.
 */
export async function everyAnswer(
  base_url: string,
  instants: readonly string[],
  { start, end }: { readonly start: string; readonly end: string },
): Promise<Answers> {
  const answers = new Map<string, string>()
  const ask = async (path: string): Promise<Body> => {
    const { status, body, next_cursor } = await timelessAnswer(`${base_url}/v1${path}`)
    answers.set(pathKey(path), `${status} ${JSON.stringify(body)}`)
    return { data: body.data, page: { next_cursor } }
  }
  const list = async (path: string): Promise<readonly Item[]> => {
    const items: Item[] = []
    let cursor: string | null = null
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const answer: Body = await ask(
        cursor === null ? `${path}&limit=1000` : `${path}&limit=1000&cursor=${cursor}#${page}`,
      )
      items.push(...((answer.data ?? []) as Item[]))
      cursor = answer.page!.next_cursor
      if (cursor === null) break
    }
    return items
  }
  for (const as_of of instants) {
    const at = `as_of=${as_of}`
    const range = `start_time=${start}&end_time=${end}&${at}`
    const [markets, indexes] = [await list(`/markets?${at}`), await list(`/indexes?${at}`)]
    await list(`/events?${at}`)
    await inTurns(markets, async ({ market_id, outcomes }) => {
      const market = `/markets/${market_id}`
      for (const rest of ['', '/price', '/resolution', '/rating']) await ask(`${market}${rest}?${at}`)
      await list(`${market}/resolution/history?${at}`)
      await list(`${market}/trades?${at}`)
      await list(`${market}/prices?${range}&time_domain=source&include_corrections=true`)
      for (const { outcome_id } of outcomes as Item[]) {
        await ask(`${market}/orderbook?outcome_id=${outcome_id}&${at}`)
        for (const field of ['mark', 'last_trade', 'midpoint'])
          await list(`${market}/candles?${range}&outcome_id=${outcome_id}&field=${field}&interval=PT1H`)
      }
    })
    await inTurns(indexes, async ({ index_id }) => {
      const index = `/indexes/${index_id}`
      for (const rest of ['', '/price']) await ask(`${index}${rest}?${at}`)
      await list(`${index}/versions?${at}`)
      await list(`${index}/prices?${range}&time_domain=source&include_corrections=true`)
      await list(`${index}/candles?${range}&interval=PT1H`)
    })
  }
  return answers
}

/** A page is named by its number: cursors are opaque. */
function pathKey(path: string): string {
  return path.replace(/cursor=[^#]*#(\d+)$/, 'page=$1')
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** Requests with different answers, both texts shortened around the first difference. */
export function differing(first: Answers, second: Answers): readonly string[] {
  const requests = new Set([...first.keys(), ...second.keys()])
  return [...requests].flatMap((request) => {
    const [a, b] = [first.get(request) ?? 'not asked', second.get(request) ?? 'not asked']
    if (a === b) return []
    const at = Math.max(0, [...a].findIndex((letter, n) => letter !== b[n]) - 80)
    return [`${request}\n  ${a.slice(at, at + 240)}\n  ${b.slice(at, at + 240)}`]
  })
}
