import { isServiceError } from '../../../primitives/errors.ts'
import { decodeParameters, PARAMETER_SHEET, type ParameterName, type ParameterTexts } from '../../index/parameters.ts'
import type { IndexVersion, Methodology } from '../../index/version.ts'
import { LevelComparison } from './compare-levels.ts'
import { linkedOrNull, type Sides, type VersionPair } from './compare-versions.ts'
import type { MarginalEffect } from './impact-document.ts'
import { columnsIn, type LevelColumns } from './level-columns.ts'
import { effectIn } from './marginal-effect.ts'
import { followedBy } from './side-specs.ts'

/** Effect of one parameter alone on all indexes that use a methodology, over the ticks of all together. */
type ParameterEffect = MarginalEffect & {
  /** Indexes with a level or a state that differs. */
  readonly indexes_different: number
  /** Index with the largest difference; null: no level differs. */
  readonly largest_index_id: string | null
  /** Indexes that this parameter alone cannot compute in the window. */
  readonly not_computed: number
}

/** A parameter that differs from the newest version of the methodology, or from the version that an index uses. */
export type ParameterAlone = {
  readonly name: ParameterName
  readonly before: string | null
  readonly after: string | null
  readonly effect: ParameterEffect
}

/** One index whose newest version is replayed with one proposed parameter at a time. */
export type IndexWithParameters = Pick<VersionPair, 'window' | 'replay'> & {
  readonly index_id: string
  readonly base: IndexVersion
  readonly proposed: Methodology
  /** Returns the version with another methodology: settings that it leaves to the methodology follow. */
  readonly versionWith: (methodology: Methodology) => IndexVersion
}

const NAMES = Object.keys(PARAMETER_SHEET) as ParameterName[]

/** Effects of each parameter alone, index by index. */
export class ParameterEffects {
  readonly #totals = new Map<ParameterName, Total>()

  /** Adds an index that was replayed as it is and with all proposed parameters. */
  add(index: IndexWithParameters, sides: Sides): void {
    const names = differing(index.base.methodology.texts, index.proposed.texts)
    for (const name of names) {
      const after = columnsAlone(index, sides, names.length === 1 ? null : name)
      if (after === null) this.#of(name).not_computed += 1
      else this.#of(name).add(index.index_id, sides.before.columns, after)
    }
  }

  /** Adds an index that all proposed parameters together cannot compute: nothing says where one alone would be linked. */
  addUncomputed({ base, proposed }: Pick<IndexWithParameters, 'base' | 'proposed'>): void {
    for (const name of differing(base.methodology.texts, proposed.texts)) this.#of(name).not_computed += 1
  }

  /** Returns the changes in the order of the sheet. @param before parameters of the newest version; null: there is none */
  changes(before: ParameterTexts | null, after: ParameterTexts): readonly ParameterAlone[] {
    const wanted = new Set([...this.#totals.keys(), ...(before === null ? [] : differing(before, after))])
    return NAMES.filter((name) => wanted.has(name)).map((name) => ({
      name,
      before: before?.[name] ?? null,
      after: after[name] ?? null,
      effect: this.#of(name).effect(),
    }))
  }

  #of(name: ParameterName): Total {
    const known = this.#totals.get(name)
    if (known !== undefined) return known
    const total = new Total()
    this.#totals.set(name, total)
    return total
  }
}

/** Effect of one parameter on the indexes added so far. */
class Total {
  not_computed = 0
  readonly #ticks = new LevelComparison(null)
  #indexes_different = 0
  #largest: { readonly index_id: string; readonly hundredths: number } | null = null

  add(index_id: string, before: LevelColumns, after: LevelColumns): void {
    this.#ticks.add(before, after)
    const own = new LevelComparison(null)
    own.add(before, after)
    const { ticks_different, states_different, largest_bp } = effectIn(own)
    if (ticks_different + states_different > 0) this.#indexes_different += 1
    const hundredths = Number((largest_bp ?? '0').replace('.', ''))
    if (hundredths > (this.#largest?.hundredths ?? 0)) this.#largest = { index_id, hundredths }
  }

  effect(): ParameterEffect {
    return {
      ...effectIn(this.#ticks),
      indexes_different: this.#indexes_different,
      largest_index_id: this.#largest?.index_id ?? null,
      not_computed: this.not_computed,
    }
  }
}

function differing(before: ParameterTexts, after: ParameterTexts): readonly ParameterName[] {
  return NAMES.filter((name) => (before[name] ?? null) !== (after[name] ?? null))
}

/**
 * Returns the levels of an index with one proposed parameter, linked where all of them together are; null: it cannot be computed.
 * @param name null: the index differs in one parameter alone, which has the effect of the whole
 */
function columnsAlone(index: IndexWithParameters, sides: Sides, name: ParameterName | null): LevelColumns | null {
  if (name === null) return sides.after.columns
  const { base, proposed, window, replay, versionWith } = index
  const texts = { ...base.methodology.texts, [name]: proposed.texts[name] ?? PARAMETER_SHEET[name].default }
  try {
    const methodology = { ...base.methodology, texts, parameters: decodeParameters(texts) }
    const spec = followedBy(sides.before_spec!, versionWith(methodology), sides.linked_at)
    return linkedOrNull(() => columnsIn(replay(spec, window.to), window))
  } catch (error) {
    if (isServiceError(error) && /^(INDEX|VALIDATION)_/.test(error.code)) return null
    throw error
  }
}
