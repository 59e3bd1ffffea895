import { type DecimalString, SCALE } from '../../../primitives/decimal.ts'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { fromScaled, toScaled } from '../../../primitives/scaled.ts'
import { resolutionIdOf } from '../../revisions/identity.ts'
import { readUnitValue, required } from '../../text/fields.ts'
import { requiredText } from '../../text/json-fields.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import { optionalNumber } from '../../text/plain-number.ts'
import { binaryPayouts } from '../derive-resolutions.ts'
import { Quarantined } from '../quarantine.ts'
import { type PayloadRecords, payloadHash, readPart } from '../read-payload.ts'
import type { Payout, ResolutionRecord, VenuePayload } from '../record.ts'
import { isIndependent, type ManifoldMarket, type ManifoldMemory, resolutionOfAnswer } from './manifold-market.ts'

const SCALE_OF_PAYOUT = SCALE.observed_value
const ONE_SCALED = toScaled('1', SCALE_OF_PAYOUT)

/**
 * Reads a market's resolution: `final` with the payouts of YES, NO, of one answer, of MKT (a share of each) or of independent
 * answers, each by itself. A market whose earlier final resolution has gone, because it is open again, was cancelled or was resolved again, also gives `withdrawn` at
 * the source instant of the earlier one. CANCEL pays nothing out: the market's status is `voided`.
 * @throws Quarantined MISSING_FIELD, BAD_VALUE, VALUE_OUT_OF_RANGE, UNKNOWN_OUTCOME, PAYOUTS_NOT_ONE
 */
export function readResolution(
  market: ManifoldMarket,
  payload: VenuePayload,
  out: PayloadRecords,
  { finals }: Pick<ManifoldMemory, 'finals'>,
): void {
  const payouts = market.is_resolved ? payoutsOf(market, out) : null
  const source_at = payouts === null ? null : required(market.resolved_at)
  const earlier = finals.get(market.id)
  if (earlier !== undefined && earlier !== source_at) {
    out.resolutions.push(statement(market, payload, earlier, 'withdrawn', []))
    finals.delete(market.id)
  }
  if (payouts === null || source_at === null) return
  out.resolutions.push(statement(market, payload, source_at, 'final', payouts))
  finals.set(market.id, source_at)
}

/** Returns the payouts; null: nothing is paid out (CANCEL), or shares are not given. */
function payoutsOf(market: ManifoldMarket, out: PayloadRecords): readonly Payout[] | null {
  const { fields, answers } = market
  const resolution = requiredText(fields, 'resolution')
  if (resolution === 'CANCEL') return null
  if (answers.length === 0) return binaryPayouts(payoutOfYes(fields, resolution))
  if (isIndependent(market)) return independentPayouts(market, out)
  if (resolution === 'MKT') return isWithoutShares(market) ? null : sharedPayouts(answers)
  if (!answers.some(({ id }) => id === resolution)) throw new Quarantined('UNKNOWN_OUTCOME')
  return answers.map(({ id }) => ({
    outcome: id,
    payout: fromScaled(id === resolution ? ONE_SCALED : 0n, SCALE_OF_PAYOUT),
  }))
}

/**
 * Returns what each independent answer pays; their sum is any. A cancelled answer pays nothing out, so it is not named; one that
 * states nothing is quarantined and the others are read.
 */
function independentPayouts({ origin, answers }: ManifoldMarket, out: PayloadRecords): readonly Payout[] | null {
  const payouts = answers.flatMap((answer) => {
    const resolution = resolutionOfAnswer(answer)
    if (resolution === 'CANCEL') return []
    const read = readPart(out, origin, () => payoutOfYes(answer.fields, required(resolution)))
    return 'reason' in read ? [] : [{ outcome: answer.id, payout: read.record }]
  })
  return payouts.length === 0 ? null : payouts
}

function payoutOfYes(fields: JsonTextObject, resolution: string): DecimalString {
  if (resolution === 'YES') return fromScaled(ONE_SCALED, SCALE_OF_PAYOUT)
  if (resolution === 'NO') return fromScaled(0n, SCALE_OF_PAYOUT)
  if (resolution !== 'MKT') throw new Quarantined('UNKNOWN_OUTCOME')
  return readUnitValue(required(optionalNumber(fields, 'resolutionProbability')), SCALE_OF_PAYOUT)
}

/** Returns whether a market of several answers paid each a share (MKT) and states none of them, as free responses do. */
export function isWithoutShares(market: ManifoldMarket): boolean {
  const { fields, answers, is_resolved } = market
  if (!is_resolved || fields.resolution !== 'MKT' || answers.length === 0 || isIndependent(market)) return false
  return answers.every((answer) => (answer.fields.resolutionProbability ?? null) === null)
}

/** Returns the shares of the answers. The largest absorbs the rounding to 9 decimals of a sum of 1. */
function sharedPayouts(answers: ManifoldMarket['answers']): readonly Payout[] {
  const shares = answers.map(({ id, fields }) => ({
    outcome: id,
    text: optionalNumber(fields, 'resolutionProbability'),
  }))
  const payouts = shares.map(({ outcome, text }) => ({ outcome, scaled: scaledPayout(required(text)) }))
  const rest = ONE_SCALED - payouts.reduce((sum, { scaled }) => sum + scaled, 0n)
  if (rest > payouts.length || -rest > payouts.length) throw new Quarantined('PAYOUTS_NOT_ONE')
  const largest = payouts.reduce((a, b) => (b.scaled > a.scaled ? b : a))
  return payouts.map((payout) => ({
    outcome: payout.outcome,
    payout: fromScaled(payout === largest ? payout.scaled + rest : payout.scaled, SCALE_OF_PAYOUT),
  }))
}

const scaledPayout = (text: DecimalString) => toScaled(readUnitValue(text, SCALE_OF_PAYOUT), SCALE_OF_PAYOUT)

function statement(
  { origin, id, received_at }: ManifoldMarket,
  payload: VenuePayload,
  source_at: Micros,
  finality: 'final' | 'withdrawn',
  payouts: readonly Payout[],
): ResolutionRecord {
  const chain = { venue_id: 'manifold', source_series_id: null, source_market_id: id }
  const evidence_id = resolutionIdOf(chain, formatMicros(source_at), formatMicros(received_at))
  return {
    file: origin.file,
    line: origin.line,
    path: origin.path,
    ...chain,
    source_at,
    received_at,
    finality,
    payouts,
    dispute_window_ends_at: null,
    evidence: { evidence_id, kind: 'archive_row', source_uri: null, content_hash: payloadHash(payload) },
  }
}
