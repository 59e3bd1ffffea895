import { idField } from '../../../pipelines/text/json-fields.ts'
import { type JsonText, listOf, objectOf } from '../../../pipelines/text/json-text.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'

/** What further requests need of a market. */
export type ListedMarket = {
  readonly id: string
  /** It has answers, which lists do not show. */
  readonly has_answers: boolean
}

const WITH_ANSWERS: readonly unknown[] = ['MULTIPLE_CHOICE', 'FREE_RESPONSE']

/** The markets of one page of `GET /v0/markets`; one that cannot be read is left out: its reader reports it. @throws Quarantined */
export function listedMarkets(page: JsonText): ListedMarket[] {
  return listOf(page).flatMap((item) => {
    const parsed = parseRecord(() => {
      const market = objectOf(item)
      return { id: idField(market, 'id'), has_answers: WITH_ANSWERS.includes(market.outcomeType) }
    })
    return 'record' in parsed ? [parsed.record] : []
  })
}

/** What names the page before the last item, newest first, of a list whose last page is shorter than `limit`. @throws Quarantined */
export function nextBefore(page: JsonText, limit: number): { readonly before: string } | null {
  const items = listOf(page)
  const last = items.at(-1)
  return last === undefined || items.length < limit ? null : { before: idField(objectOf(last), 'id') }
}
