import { Decimal, type DecimalString, formatDecimal, parseDecimal, sumDecimals } from '../../primitives/decimal.ts'
import { SCORED_LEVELS, type ScoredLevel } from '../../vocabulary/severity.ts'
import { levelOf } from './assess.ts'
import { brier, crps, type Scenario } from './forecast.ts'
import { SEVERITY_PARAMETERS } from './methodology.ts'

/** An approved forecast with the observed assessment that followed. */
export type DueForecast = {
  readonly assessment_id: string
  readonly event_id: string
  readonly published_at: string
  readonly scenarios: readonly Scenario[]
  /** null: no approved observed score by the end of its horizon. */
  readonly observed: { readonly assessment_id: string; readonly score: DecimalString } | null
  /** Control sample: scores of other events observed before the forecast was published. */
  readonly known_scores: readonly DecimalString[]
}

/** Levels with a forecast of "this or worse". */
export const EXCEEDED_LEVELS: readonly ScoredLevel[] = SCORED_LEVELS.slice(1)

type ForecastScore = Pick<DueForecast, 'assessment_id' | 'event_id' | 'published_at'> & {
  readonly observed_assessment_id: string
  readonly observed_score: DecimalString
  readonly crps: DecimalString
  readonly brier: Readonly<Record<string, DecimalString>>
  /** CRPS of the control; null: no other event was known. */
  readonly control_crps: DecimalString | null
  readonly control_brier: Readonly<Record<string, DecimalString>> | null
}

export type ForecastScores = {
  readonly forecasts: number
  readonly scored: number
  readonly mean_crps: DecimalString | null
  readonly mean_brier: Readonly<Record<string, DecimalString | null>>
  /** Number of forecasts with a control, and the means over these alone, side by side. */
  readonly with_control: {
    readonly forecasts: number
    readonly mean_crps: DecimalString | null
    readonly control_crps: DecimalString | null
  }
  readonly items: readonly ForecastScore[]
}

const SCALE = 4

/** Scores each forecast by the observed assessment: CRPS and Brier for each level, beside those of its control; 0 is perfect. */
export function scoreForecasts(forecasts: readonly DueForecast[]): ForecastScores {
  const items = forecasts.flatMap((one) => (one.observed === null ? [] : [scoreOne(one, one.observed)]))
  const controlled = items.filter(({ control_crps }) => control_crps !== null)
  return {
    forecasts: forecasts.length,
    scored: items.length,
    mean_crps: mean(items.map((one) => one.crps)),
    mean_brier: Object.fromEntries(EXCEEDED_LEVELS.map((k) => [k, mean(items.map((one) => one.brier[k]!))])),
    with_control: {
      forecasts: controlled.length,
      mean_crps: mean(controlled.map((one) => one.crps)),
      control_crps: mean(controlled.map((one) => one.control_crps!)),
    },
    items,
  }
}

function scoreOne(one: DueForecast, { assessment_id, score }: NonNullable<DueForecast['observed']>): ForecastScore {
  const { event_id, published_at, scenarios, known_scores } = one
  const briers = EXCEEDED_LEVELS.map((k) => [k, brier(scenarios, k, score, SEVERITY_PARAMETERS)])
  return {
    assessment_id: one.assessment_id,
    event_id,
    published_at,
    observed_assessment_id: assessment_id,
    observed_score: score,
    crps: crps(scenarios, score),
    brier: Object.fromEntries(briers),
    control_crps: known_scores.length === 0 ? null : sampleCrps(known_scores, score),
    control_brier:
      known_scores.length === 0
        ? null
        : Object.fromEntries(EXCEEDED_LEVELS.map((k) => [k, sampleBrier(known_scores, k, score)])),
  }
}

/** Returns the CRPS of a sample whose members are equally likely. */
function sampleCrps(sample: readonly DecimalString[], observed: DecimalString): DecimalString {
  const scores = sample.map((text) => parseDecimal(text, 'score'))
  const y = parseDecimal(observed, 'observed')
  const n = scores.length
  const distance = sumDecimals(scores.map((s) => s.minus(y).abs())).div(n)
  const spread = sumDecimals(scores.flatMap((a) => scores.map((b) => a.minus(b).abs()))).div(n * n)
  return formatDecimal(distance.minus(spread.div(2)), SCALE)
}

/** Returns the Brier score of the share of a sample at a level or worse. */
function sampleBrier(sample: readonly DecimalString[], level: ScoredLevel, observed: DecimalString): DecimalString {
  const reaches = (score: DecimalString) =>
    SCORED_LEVELS.indexOf(levelOf(score, SEVERITY_PARAMETERS)) >= SCORED_LEVELS.indexOf(level)
  const share = new Decimal(sample.filter(reaches).length).div(sample.length)
  return formatDecimal(share.minus(reaches(observed) ? 1 : 0).pow(2), SCALE)
}

function mean(values: readonly DecimalString[]): DecimalString | null {
  if (values.length === 0) return null
  return formatDecimal(sumDecimals(values.map((text) => parseDecimal(text, 'score'))).div(values.length), SCALE)
}
