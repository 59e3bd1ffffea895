import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EvidenceItem } from '../../pipelines/evidence/evidence-item.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { formatMicros, MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import { committeeFolder } from './open-committee.ts'

/** Validity of the overrides and decisions of sandbox members. */
export const HOLDS: Micros = 14 * MICROS_PER_DAY

const DOCUMENT = 'venue-review.txt'

/**
 * Writes an analyst's form about a market that the model has rated: what was measured is taken over, and what the model has no
 * source for is from a review of the venue, which is written beside it and is invented like the venue.
 * @returns the form's path
 */
export async function writeRatingForm(home: string, rating: Row, now: Micros): Promise<string> {
  const dir = committeeFolder(home)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const review = `${REVIEW}\nMarket ${rating.market_id}, observed until ${formatMicros(now)}.\n`
  await writeFile(join(dir, DOCUMENT), review)
  const file = join(dir, 'rating-form.json')
  await writeFile(file, `${JSON.stringify(ratingForm(rating, now, `sha256:${sha256Hex(review)}`), null, 2)}\n`)
  return file
}

const REVIEW = `Review of a simulated venue, as an analyst of the sandbox might write it. Everything in it is invented.
Uptime of 90 days 0.998; incidents of a year 2; contracts are paid half an hour after the final outcome; nobody licenses the venue.
The rules say what counts, by whom, until when, and what happens if it is postponed; no dispute of the series is known.
`

function ratingForm(rating: Row, now: Micros, content_hash: string) {
  const measured = figuresOf(rating)
  const components = {
    resolution_clarity: {
      points: ['30', '20', '5', '10', '15', '10', '5'],
      disputed_markets: '0',
      resolved_markets: '0',
    },
    source_reliability: picked(measured('source_reliability'), [
      'authority',
      'availability',
      'revision_rate',
      'independent_sources',
    ]),
    liquidity: picked(measured('liquidity'), ['spread', 'depth_usd', 'volume_usd']),
    manipulation_resistance: {
      ...picked(measured('manipulation_resistance'), ['cost_to_move_usd']),
      concentration: '0.18',
      top_trader_share: '0.22',
      wash_share: null,
    },
    data_quality: null,
    venue_operational_risk: { uptime: '0.998', regulation: '1', settlement_delay_h: '0.5', incidents_365d: '2' },
  }
  const evidenced = Object.entries(components).filter(([, inputs]) => inputs !== null)
  return {
    rating: {
      market_id: rating.market_id,
      kind: 'analyst',
      observation_cutoff_at: formatMicros(now),
      effective_from: null,
      effective_to: formatMicros(now + HOLDS),
      rationale:
        'Simulated. The program has no source for the venue and its traders; an analyst of the sandbox has reviewed them.',
    },
    components,
    evidence: evidenced.map(([component]) => ({
      kind: 'venue_review',
      component,
      tier: 'B',
      source_uri: `https://bureau.simulated.example/reviews/${rating.market_id}`,
      observed_at: formatMicros(now),
      content_hash,
      document: DOCUMENT,
    })),
  }
}

type Figures = Readonly<Record<string, unknown>>

/** Evidence kind of each component of a program's rating. */
function figuresOf(rating: Row): (component: string) => Figures {
  const evidence = rating.evidence as unknown as readonly EvidenceItem[]
  return (component) => {
    const item = evidence.find((one) => one.component === component)
    return JSON.parse(item?.measured ?? '{}') as Figures
  }
}

/** Forms have all figures as text. */
function picked(figures: Figures, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, String(figures[name])]))
}

/** Writes an analyst's forecast of a cyclone. @returns the form's path */
export async function writeForecastForm(home: string, assessment: Row, now: Micros): Promise<string> {
  const dir = committeeFolder(home)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const { start } = assessment.event_time_window as { readonly start: string }
  const form = {
    forecast: {
      event_id: assessment.event_id,
      horizon_end: formatMicros(now + HOLDS),
      window_start: start,
      window_end: null,
      effective_from: null,
      confidence: '0.6',
      rationale: 'Simulated. Three ways that the storm may go, as an analyst of the sandbox sees them.',
    },
    scenarios: [
      scenario('turns away', '0.50', { human: '32.00', economic: '38.00', geographic: '52.00', duration: '30.00' }),
      scenario('landfall', '0.35', { human: '48.00', economic: '60.00', geographic: '58.00', duration: '33.00' }),
      scenario('landfall at spring tide', '0.15', {
        human: '70.00',
        economic: '78.00',
        infrastructure: '66.00',
        geographic: '62.00',
        duration: '38.00',
      }),
    ],
    evidence: [],
  }
  const file = join(dir, 'forecast-form.json')
  await writeFile(file, `${JSON.stringify(form, null, 2)}\n`)
  return file
}

const UNKNOWN = {
  human: null,
  economic: null,
  infrastructure: null,
  geographic: null,
  geopolitical: null,
  duration: null,
}

function scenario(name: string, probability: string, known: Partial<Record<keyof typeof UNKNOWN, string>>) {
  return { name, probability, components: { ...UNKNOWN, ...known } }
}
