import { replaysBy } from '../../operations/governance/impact/replay-columns.ts'
import {
  type CalculatedImpact,
  calculateImpact,
  type ImpactInput,
} from '../../pipelines/governance/impact/calculate-impact.ts'
import type { LegData } from '../../pipelines/index/admission.ts'
import { decodeDefinition } from '../../pipelines/index/definition.ts'
import type { ConstituentFile, VersionFile } from '../../pipelines/index/definition-schema.ts'
import type { IndexSpec, IndexVersion } from '../../pipelines/index/version.ts'
import type { Resolution } from '../../pipelines/market/quote.ts'
import { isServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ImpactEngine } from '../../vocabulary/governance.ts'
import { DAY, definitionFile, HOUR, legData, NOW, type QuoteText, SECOND, specOf } from './index-world.ts'
import { seededRandom } from './random.ts'

/** Look-back window of the small worlds, and the time before it that has quotes. */
export const IMPACT_WINDOW = { from: NOW, to: NOW + 4 * DAY }
const QUOTED_FROM = NOW - 2 * DAY

/** Version of the small index; what is left out is as in every other. */
export type VersionParts = {
  /** Target weights by constituent; a name ending in `_inverse` reads the market of the name before it inversely. */
  readonly weights: Readonly<Record<string, string>>
  readonly parameters?: Readonly<Record<string, string>>
  readonly rest?: Partial<VersionFile>
}

/** Returns an index and one version of it. */
export function versionOf({ weights, parameters = {}, rest = {} }: VersionParts): {
  readonly index: IndexSpec
  readonly version: IndexVersion
} {
  const constituents = Object.entries(weights).map(
    ([name, target_weight]): Partial<ConstituentFile> => ({
      constituent_id: `con_${name}`,
      venue_id: 'test',
      source_market_id: name.replace(/_inverse$/, ''),
      target_weight,
      ...(name.endsWith('_inverse') ? { normalization: 'inverse' as const } : {}),
    }),
  )
  const file = definitionFile(constituents, {
    parameters: { ...parameters },
    version: { calculation_frequency: 'PT1H', ...rest },
  })
  const spec = specOf(decodeDefinition(file))
  return { index: spec, version: spec.versions[0]! }
}

/** Quotes of a market: a random walk of books with gaps, wide books and silences. */
export function randomMarket(seed: number): LegData {
  const random = seededRandom(seed)
  const quotes: QuoteText[] = []
  let mid = 0.2 + random() * 0.6
  for (let at = QUOTED_FROM; at < IMPACT_WINDOW.to; at += HOUR) {
    mid = Math.min(0.95, Math.max(0.05, mid + (random() - 0.5) * 0.05))
    if (random() < 0.15) continue
    if (random() < 0.02) at += 30 * HOUR
    const half = random() < 0.2 ? 0.04 : 0.005
    const text = (value: number) => value.toFixed(3)
    quotes.push({
      record_id: `obs_${seed}_${at}`,
      source_at: at - 10 * SECOND,
      bid: text(mid - half),
      ask: text(mid + half),
    })
  }
  return legData(quotes)
}

/** Markets by source_market_id. */
export type Markets = Readonly<Record<string, LegData>>

/** Returns the input of an impact over invented markets. */
export function impactInput(
  before: VersionParts | null,
  after: VersionParts,
  markets: Markets,
  engine: ImpactEngine = 'exact',
): Omit<ImpactInput, 'lines'> {
  const base = before === null ? null : versionOf(before).version
  const { index, version: next } = versionOf(after)
  const legs = [base, next].flatMap((version) => version?.constituents.flatMap((one) => one.legs) ?? [])
  const data = new Map(legs.map((leg) => [leg.key, markets[leg.source_market_id] ?? legData([])] as const))
  return {
    index,
    base,
    next: { ...next, index_version_id: `${next.index_version_id}_next` as typeof next.index_version_id, version: '2' },
    window: IMPACT_WINDOW,
    is_full_window: true,
    ...replaysBy(engine, { data, published_links: new Map() }),
    resolutionsOf: (leg): readonly Resolution[] => data.get(leg.key)!.resolutions,
  }
}

/** Computes an impact, and keeps its data. */
export function impactOf(input: Omit<ImpactInput, 'lines'>): {
  readonly impact: CalculatedImpact
  readonly csv: string
} {
  let csv = ''
  const impact = calculateImpact({
    ...input,
    lines: (lines) => {
      csv += lines
    },
  })
  return { impact, csv }
}

/** Computes an impact; null: the new version cannot be linked anywhere in the window. */
export function linkableImpact(input: Omit<ImpactInput, 'lines'>): ReturnType<typeof impactOf> | null {
  try {
    return impactOf(input)
  } catch (error) {
    if (isServiceError(error) && /^INDEX_(LINK|GEARING)_/.test(error.code)) return null
    throw error
  }
}

/** Instant of a tick of the window. */
export const tickOf = (hours: number): Micros => NOW + hours * HOUR
