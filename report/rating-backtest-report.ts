import type { RatingBacktestReport } from '../operations/rating/backtest-ratings.ts'
import { FAILURES, type Failure, type GroupRates, NO_RATING_KNOWN, type Rate } from '../pipelines/rating/backtest.ts'
import { intervalChart } from './interval-chart.ts'
import { legend, lineSample } from './legend.ts'
import { type Markup, markup } from './markup.ts'
import { count, percent } from './number-text.ts'
import { lead, type Page, renderPage, section } from './page.ts'
import { type Column, table } from './table.ts'

/** Renders a back-test of rating bands as one self-contained HTML page. */
export function renderRatingBacktest(report: RatingBacktestReport): string {
  const { from, to, as_of, lead: before, delay, outcomes, rated } = report
  return renderPage({
    title: `Back-test of market ratings, markets that ended up to ${to}`,
    kind: 'Back-test',
    heading: 'Market ratings',
    about: 'Disputes, delays and voids of markets by the rating band they had before their end.',
    facts: [
      { name: 'Ended', value: `from ${from ?? 'the first market'} to before ${to}` },
      { name: 'Rating', value: `in force and published ${before} before the end, nothing later` },
      { name: 'Outcomes', value: `as known at ${as_of}` },
      { name: 'Late', value: `final outcome more than ${delay} after the close, or none for so long` },
    ],
    figures: [
      { value: count(outcomes.length), name: 'markets ended' },
      { value: count(rated.markets), name: 'had a band' },
      ...FAILURES.map((failure) => ({
        value: String(rated.rates[failure].failures),
        name: `${WORDS[failure].many}, rated`,
      })),
    ],
    verdict: { text: verdictOf(report), alarm: false },
    sections: [...FAILURES.map((failure) => failureSection(report, failure)), marketsSection(report)],
    footer: markup`A market counts once. Intervals are Wilson’s at 95 %; a share of nothing is none, never zero. Markets that were not rated are the control. Weights and thresholds of the methodology stay uncalibrated until bands tell apart what their intervals do not share. Instants are UTC. This file loads nothing and sends nothing.`,
  })
}

const WORDS: Readonly<Record<Failure, { readonly many: string; readonly heading: string; readonly lead: string }>> = {
  dispute: {
    many: 'disputes',
    heading: 'Disputes',
    lead: 'Outcomes disputed after the rating was taken. Markets already in dispute are excluded.',
  },
  delay: {
    many: 'delays',
    heading: 'Delays',
    lead: 'Late final outcomes. Markets without a known close, or that may still be in time, are excluded.',
  },
  void: {
    many: 'voids',
    heading: 'Voids',
    lead: 'Canceled markets and final outcomes without a winner. Markets without a final outcome are excluded.',
  },
}

/** Summarizes the value of the bands, one sentence per kind of failure. */
function verdictOf({ rated, separation }: RatingBacktestReport): string {
  if (rated.markets === 0) return 'No ended market had a band before its end, so the bands cannot be assessed.'
  const parts = FAILURES.map((failure) => {
    const { many } = WORDS[failure]
    const { share, pairs } = separation[failure]
    if (share === null) return `${many} none, or nothing else, so no comparison`
    return `${many} in ${percent(share)} of ${count(pairs)} pairs`
  })
  return `A failed market had a worse band than a sound one: ${parts.join('; ')}. Chance gives 50 %.`
}

function groupsOf({ bands, rated, control }: RatingBacktestReport): readonly GroupRates[] {
  return [...bands, rated, ...control]
}

const NAMES: Readonly<Record<string, string>> = { rated: 'all rated', [NO_RATING_KNOWN]: 'no rating' }
const isControl = (group: string) => group === 'NR' || group === NO_RATING_KNOWN

const COLUMNS: readonly Column[] = [
  { head: 'group', kind: 'text' },
  { head: 'failed', kind: 'number' },
  { head: 'of', kind: 'number' },
  { head: 'share', kind: 'number' },
  { head: 'low', kind: 'number' },
  { head: 'high', kind: 'number' },
]

function failureSection(report: RatingBacktestReport, failure: Failure): Markup {
  const { heading, lead: words } = WORDS[failure]
  const groups = groupsOf(report)
  return section(
    heading,
    lead(words),
    intervalChart({
      description: `${heading} by band, with intervals at 95 %`,
      rows: groups.map(({ group, rates }) => {
        const { share, low, high } = rates[failure]
        const text = rateText(rates[failure])
        return { name: NAMES[group] ?? group, share, low, high, text, is_control: isControl(group) }
      }),
    }),
    legend([
      { sample: lineSample('main'), text: 'markets with a band' },
      { sample: lineSample('other'), text: 'control: not rated' },
    ]),
    table({
      id: `rates-${failure}`,
      caption: `${heading} by band; the control are markets without one`,
      columns: COLUMNS,
      rows: groups.map(({ group, rates }) => {
        const { failures, markets, share, low, high } = rates[failure]
        return [NAMES[group] ?? group, failures, markets, share, low, high]
      }),
    }),
  )
}

function rateText({ failures, markets, share, low, high }: Rate): string {
  return share === null
    ? 'none known'
    : `${failures} of ${markets}: ${percent(share)} [${percent(low)}, ${percent(high)}]`
}

const MARKETS_MAX = 2_000
const MARKET_COLUMNS: readonly Column[] = [
  { head: 'market', kind: 'code' },
  { head: 'title', kind: 'text' },
  { head: 'venue', kind: 'text' },
  { head: 'band', kind: 'text' },
  { head: 'looked at', kind: 'instant' },
  { head: 'disputed', kind: 'text' },
  { head: 'hours to final', kind: 'number' },
  { head: 'late', kind: 'text' },
  { head: 'void', kind: 'text' },
]

function marketsSection({ outcomes }: RatingBacktestReport): Page['sections'][number] {
  if (outcomes.length === 0) return null
  const shown = outcomes.slice(0, MARKETS_MAX)
  const word = (value: boolean | null) => (value === null ? null : value ? 'yes' : 'no')
  return section(
    'Markets',
    lead('Every market of the range; an empty cell is unknown.'),
    table({
      id: 'markets',
      caption:
        shown.length === outcomes.length
          ? `All ${shown.length} markets`
          : `The first ${shown.length} of ${outcomes.length} markets`,
      folded: true,
      columns: MARKET_COLUMNS,
      rows: shown.map(({ market_id, title, venue_id, group, observed_at, failed, delay_h }) => [
        market_id,
        title,
        venue_id,
        NAMES[group] ?? group,
        observed_at,
        word(failed.dispute),
        delay_h,
        word(failed.delay),
        word(failed.void),
      ]),
    }),
  )
}
