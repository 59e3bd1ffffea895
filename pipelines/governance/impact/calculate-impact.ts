import type { Micros } from '../../../primitives/instants.ts'
import type { IndexSpec, Leg } from '../../index/version.ts'
import type { Resolution } from '../../market/quote.ts'
import type { LevelConstituent } from '../../robustness/level-basis.ts'
import { backTest } from './back-test.ts'
import { changesAlone, pairVersions } from './changes-alone.ts'
import { compareSides, replaySides, type Sides, type VersionPair } from './compare-versions.ts'
import { compositionChange } from './composition-change.ts'
import type { ImpactDocument } from './impact-document.ts'
import { columnsIn } from './level-columns.ts'
import { missingInputs } from './missing-inputs.ts'
import { followedBy } from './side-specs.ts'

/** Two versions of an index, and ways to replay them with the same knowledge. */
export type ImpactInput = VersionPair & {
  /** Returns the constituents of the tick at an instant, by a replay of a spec; null: there is no such tick. */
  readonly constituentsAt: (spec: IndexSpec, at: Micros) => readonly LevelConstituent[] | null
  readonly resolutionsOf: (leg: Leg) => readonly Resolution[]
}

/** Part of a document that follows from the replays. */
export type CalculatedImpact = Pick<
  ImpactDocument,
  | 'linked_at'
  | 'change_class'
  | 'restate_bp'
  | 'levels_sha256'
  | 'levels'
  | 'composition'
  | 'changes'
  | 'missing_inputs'
  | 'back_test'
>

/**
 * Computes what a change would have done over the look-back window.
 * @param sides left out: they are replayed here
 * @throws {ServiceError} INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT: the new version cannot follow the base there
 */
export function calculateImpact(input: ImpactInput, sides: Sides = replaySides(input)): CalculatedImpact {
  const { base, next } = input
  return {
    ...compareSides(input, sides),
    composition: compositionChange(base, next),
    changes: base === null ? [] : marginalEffects(input, sides),
    missing_inputs: {
      before: base === null ? null : missingInputs({ ...input, version: base, ...sides.before }),
      after: missingInputs({ ...input, version: next, ...sides.after }),
    },
    back_test: {
      before: base === null ? null : backTest(base, input),
      after: backTest(next, input),
    },
  }
}

function marginalEffects({ next, window, replay }: ImpactInput, sides: Sides): ImpactDocument['changes'] {
  const before = sides.before_spec!
  const pairs = pairVersions(before, followedBy(before, next, sides.linked_at))!
  return changesAlone(before, pairs, {
    levels: sides.before.columns,
    changed_levels: sides.after.columns,
    levelsOf: (spec) => columnsIn(replay(spec, window.to), window),
  })
}
