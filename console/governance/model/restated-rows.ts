import type { Restatement } from '../../../protocol/resources/notice.ts'
import { compareDecimals, groupDigits, trimZeros } from '../../data/decimal-text.ts'
import { showInstant } from '../../data/instant-text.ts'
import { spoken } from './words.ts'

type Restated = Restatement['changes'][number]

/** A restated tick as the page shows it; a missing level is labeled as missing, never shown as 0. */
export type RestatedRow = {
  readonly key: string
  readonly at: string
  readonly old_level: string | null
  readonly new_level: string | null
  readonly basis_points: string
  readonly quality_state: string
  readonly observation_id: string
}

/** Returns the restated ticks in their order. */
export function restatedRows(changes: readonly Restated[]): readonly RestatedRow[] {
  return changes.map(({ observation_id, tick_at, old_level, new_level, basis_points, quality_state }) => ({
    ...{ key: observation_id, observation_id, at: showInstant(tick_at), quality_state: spoken(quality_state) },
    old_level: old_level === null ? null : groupDigits(old_level),
    new_level: new_level === null ? null : groupDigits(new_level),
    basis_points: moveText(basis_points),
  }))
}

/** Returns the largest move of a restatement; a level without a ratio has none. */
export function largestRestated(changes: readonly Restated[]): string {
  const moves = changes.flatMap(({ basis_points }) => basis_points ?? [])
  if (moves.length === 0) return moveText(null)
  return moveText(moves.reduce((largest, move) => (compareDecimals(move, largest) > 0 ? move : largest)))
}

function moveText(basis_points: string | null): string {
  return basis_points === null ? 'no ratio' : `${trimZeros(basis_points)} bp`
}
