import { Decimal, type DecimalString } from '../../../primitives/decimal.ts'
import { formatMicros, type Instant, type Micros } from '../../../primitives/instants.ts'
import { fromScaled } from '../../../primitives/scaled.ts'
import { LEVEL_SCALE } from '../../index/exact/level-rounder.ts'
import type { IndexSpec, IndexVersion } from '../../index/version.ts'
import type { LevelConstituent } from '../../robustness/level-basis.ts'
import { type MissingInputBound, missingInputBound } from '../../robustness/missing-input.ts'
import { isStale, type LevelColumns } from './level-columns.ts'
import { ruledBy, warmUp } from './side-specs.ts'

type MissingInput = MissingInputBound['inputs'][number]

/** Largest moves of a level if one input were missing, by the index's own rules (methodology robustness-1 §2). */
export type MissingInputs = {
  /** Last tick of the window with a level of its own. */
  readonly tick_at: Instant
  readonly level: DecimalString
  /** Inputs without which there is a level, those that move it most first. */
  readonly moves: readonly Pick<MissingInput, 'constituent_id' | 'level_without' | 'move' | 'move_bp'>[]
  /** Number of inputs that move it less and are not listed. */
  readonly moves_unlisted: number
  /** Number of inputs without which there is no level. */
  readonly indispensable: number
}

/** Most moves that a document lists. */
const LISTED_MAX = 20

/** Replay of one side, and a way to see the constituents of one of its ticks. */
type ReplayedSide = {
  readonly index: IndexSpec
  readonly version: IndexVersion
  readonly columns: LevelColumns
  /** Link factor at the last tick. */
  readonly link_factor: Decimal | null
  readonly constituentsAt: (spec: IndexSpec, at: Micros) => readonly LevelConstituent[] | null
}

/**
 * Returns how far the last level of a side could move if each input were missing.
 * @returns null: the side has no level of its own, or its inputs do not give the level, as where an older mark was carried
 */
export function missingInputs({
  index,
  version,
  columns,
  link_factor,
  constituentsAt,
}: ReplayedSide): MissingInputs | null {
  const last = columns.level.findLastIndex((units, i) => !Number.isNaN(units) && !isStale(columns, i))
  if (last < 0 || link_factor === null) return null
  const tick_at = columns.tick_at[last]!
  const constituents = constituentsAt(ruledBy(index, version, tick_at - warmUp([version])), tick_at)
  if (constituents === null) return null
  const { minimum_coverage_ratio, methodology } = version
  const { usable_min } = methodology.parameters.quality
  const bound = missingInputBound({ k: link_factor, constituents, rules: { minimum_coverage_ratio, usable_min } })
  const level = fromScaled(BigInt(columns.level[last]!), LEVEL_SCALE)
  if (bound === null || bound.level !== level) return null
  const moves = bound.inputs.filter(({ move }) => move !== null)
  moves.sort((a, b) => sizeOf(b).cmp(sizeOf(a)) || (a.constituent_id < b.constituent_id ? -1 : 1))
  return {
    tick_at: formatMicros(tick_at),
    level,
    moves: moves.slice(0, LISTED_MAX).map(({ constituent_id, level_without, move, move_bp }) => ({
      constituent_id,
      level_without,
      move,
      move_bp,
    })),
    moves_unlisted: Math.max(0, moves.length - LISTED_MAX),
    indispensable: bound.indispensable_ids.length,
  }
}

function sizeOf({ move }: MissingInput): Decimal {
  return new Decimal(move!).abs()
}
