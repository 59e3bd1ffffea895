import type { FastifyInstance } from 'fastify'
import { atomOf } from '../../pipelines/notices/atom.ts'
import { dayOf } from '../../pipelines/notices/calendar.ts'
import { icalendarOf } from '../../pipelines/notices/icalendar.ts'
import { refusedValue } from '../../primitives/errors.ts'
import { MICROS_PER_DAY, toMicros } from '../../primitives/instants.ts'
import { FEEDS } from '../../protocol/limits.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { compareKeys } from '../routes/catalog-page.ts'
import { calendarEntries } from '../routes/notices.ts'
import { FIVE_MINUTES } from '../server/cache-control.ts'
import { chargeBytes, type ExchangeContext, finish } from '../server/exchange.ts'
import { addPublicFile, isHeld, marketData } from '../server/public-file.ts'
import { rawQueryOf } from '../server/raw-query-of.ts'

const ATOM = 'application/atom+xml; charset=utf-8'
const ICALENDAR = 'text/calendar; charset=utf-8; method=PUBLISH'
/** Tokens of a feed: it is made of every notice, or of a read of history. */
const COST = 2
/** Past days of the calendar file, so that a subscriber keeps what has just happened. */
const PAST_DAYS = 30

type Served = { readonly text: string; readonly type: string }

/** Serves the newest notices as an Atom feed, and the calendar as a file of iCalendar. */
export function serveFeeds(app: FastifyInstance, context: ExchangeContext & { readonly reader: Reader }): void {
  const { reader } = context
  const routes: Readonly<Record<string, () => Promise<Served>>> = {
    '/v1/governance/notices.atom': async () => ({ text: atomOf(newestNotices(reader) as never), type: ATOM }),
    '/v1/governance/calendar.ics': async () => ({ text: await calendarFile(reader), type: ICALENDAR }),
  }
  for (const [url, show] of Object.entries(routes)) {
    addPublicFile(app, context, url, marketData(COST), async (exchange, request) => {
      refuseQuery(rawQueryOf(request.raw.url!))
      const { text, type } = await show()
      if (isHeld(exchange, text, FIVE_MINUTES)) return finish(context, exchange, 304, null)
      chargeBytes(context, exchange, 'market_data', Buffer.byteLength(text), null)
      finish(context, exchange, 200, text, type)
    })
  }
}

function newestNotices({ catalog }: Pick<Reader, 'catalog'>): readonly Row[] {
  const keyOf = (row: Row) => [toMicros(row.published_at), String(row.notice_id)]
  const newest = catalog(null)
    .notices()
    .toSorted((a, b) => compareKeys(keyOf(b), keyOf(a)))
  return newest.slice(0, FEEDS.notices_max)
}

async function calendarFile(reader: Reader): Promise<string> {
  const at = Math.max(await reader.now(), reader.horizon('market_rating'))
  const from = dayOf(at) - PAST_DAYS * MICROS_PER_DAY
  const range = { from, to: from + FEEDS.calendar_days_max * MICROS_PER_DAY }
  const entries = await calendarEntries(reader, reader.catalog(null), { range, at })
  return icalendarOf(entries, FEEDS.entries_max)
}

function refuseQuery(query: string): void {
  if (query === '') return
  throw refusedValue('VALIDATION_PARAMETER_UNKNOWN', 'query', query.slice(0, 100), 'no parameters')
}
