import { MICROS_PER_DAY, type Micros, toMicros, utcDay } from '../../primitives/instants.ts'
import type { Band } from '../../vocabulary/rating.ts'
import type { EvidenceItem } from '../evidence/evidence-item.ts'
import { RATING_PARAMETERS } from './methodology.ts'
import { modelRating, type Rated, type RatingRecord } from './rating-record.ts'
import { componentsAgain } from './rerate.ts'

/** Model rating as it is published, with the figures of its evidence. */
export type PublishedRating = Pick<RatingRecord, 'market_id' | 'band' | 'score'> & {
  readonly evidence: readonly EvidenceItem[]
  readonly observation_cutoff_at: string
  readonly published_at: string
}

/**
 * Computes the model ratings of a market again, one after the other: each from the figures of its evidence, and from the ratings that
 * were published before it.
 * @param published  of one market, by cutoff
 */
export function rateAgain(published: readonly PublishedRating[]): readonly RatingRecord[] {
  const known: Known[] = []
  return published.map((rating) => {
    const { market_id, evidence } = rating
    const cutoff = toMicros(rating.observation_cutoff_at, 'observation_cutoff_at')
    const before = known.filter(({ published_at }) => published_at < toMicros(rating.published_at, 'published_at'))
    const past = pastOf(before, cutoff)
    const again = modelRating({ market_id, components: componentsAgain(evidence), evidence, past, cutoff })
    known.push({ ...knownOf(rating), day_band: again.day_band })
    return again
  })
}

type Known = Pick<RatingRecord, 'band' | 'score' | 'day_band'> & { readonly day: string; readonly published_at: Micros }

function knownOf({ band, score, observation_cutoff_at, published_at }: PublishedRating): Omit<Known, 'day_band'> {
  const day = utcDay(toMicros(observation_cutoff_at, 'observation_cutoff_at'))
  return { band, score, day, published_at: toMicros(published_at, 'published_at') }
}

/** Returns the past of a market at a cutoff. @param ratings by cutoff */
function pastOf(ratings: readonly Known[], cutoff: Micros): Rated['past'] {
  const day = (back: number) => utcDay(cutoff - back * MICROS_PER_DAY)
  const [today, yesterday, back] = [day(0), day(1), day(RATING_PARAMETERS.measure.window_days)]
  const earlier = ratings.filter((one) => one.day < today)
  const rated = earlier.findLast((one) => one.day >= back && one.band !== 'NR')
  const day_before = earlier.find((one) => one.day === yesterday)
  return {
    band: (rated?.band ?? null) as Rated['past']['band'],
    day_before: day_before === undefined ? null : { band: day_before.day_band as Band, score: day_before.score },
    score_30d: earlier.find((one) => one.day === back)?.score ?? null,
    previous_band: earlier.at(-1)?.band ?? null,
    previous_score: earlier.at(-1)?.score ?? null,
  }
}
