import { createHash } from 'node:crypto'
import type { ErrorCode } from '../../../primitives/error-codes.ts'
import { VERSION_CLASSES, type VersionClassName } from '../../../vocabulary/governance.ts'
import { PARAMETER_SHEET, type ParameterName, type ParameterTexts } from '../../index/parameters.ts'
import type { LevelDifferences } from './compare-levels.ts'
import type { VersionComparison } from './compare-versions.ts'
import type { ParameterAlone } from './parameter-effects.ts'

/** A parameter that a change of a methodology sets otherwise; null: it is off. */
type ParameterChange = { readonly name: ParameterName; readonly before: string | null; readonly after: string | null }

/** Effect of a methodology on one index that uses it. */
export type IndexEffect = {
  readonly index_id: string
  /** Newest version of the index, and the version of the methodology that it uses. */
  readonly version: string
  readonly methodology_version_before: string
} & Pick<VersionComparison, 'linked_at' | 'change_class' | 'restate_bp'> &
  Pick<LevelDifferences, 'ticks' | 'largest' | 'state_moves'> & {
    readonly states_before: LevelDifferences['before']['states']
    readonly states_after: LevelDifferences['after']['states']
    /** Median and largest of the differences without their sign; null: there is none. */
    readonly median_bp: string | null
    readonly largest_bp: string | null
  }

/** Effects of a methodology on the indexes that use it. */
export type MethodologyEffects = {
  /** Newest published version of the methodology; null: the first. */
  readonly version_before: string | null
  readonly version_after: string
  readonly parameters: readonly ParameterChange[]
  /** Marginal effects, each parameter applied to the indexes alone; left out of reports of `tidemark.impact.2`. */
  readonly changes?: readonly ParameterAlone[]
  /** Number of indexes whose newest version uses the methodology. */
  readonly indexes_using: number
  /** Compared indexes in each class. */
  readonly classes: Readonly<Record<VersionClassName, number>>
  /** Those with the strictest class and the largest difference first. */
  readonly indexes: readonly IndexEffect[]
  /** Number of compared indexes that are not listed. */
  readonly indexes_unlisted: number
  /** Indexes that the proposed parameters cannot compute in the window, with the reason. */
  readonly not_computed: readonly { readonly index_id: string; readonly code: ErrorCode }[]
  readonly not_computed_unlisted: number
  /** Lines of the data: every tick of each index, or the largest differences of each. */
  readonly lines: DataForm
  /** SHA-256 of the data: levels.csv. */
  readonly levels_sha256: string
}

/** Most indexes that a document lists of a kind, so that it can be signed and logged whole. */
export const INDEXES_LISTED_MAX = 30

/** Returns the effect of a methodology on one index. */
export function indexEffect(
  named: Pick<IndexEffect, 'index_id' | 'version' | 'methodology_version_before'>,
  { linked_at, change_class, restate_bp, levels }: VersionComparison,
): IndexEffect {
  const { ticks, largest, state_moves, before, after, absolute_basis_points } = levels
  return {
    ...named,
    ...{ linked_at, change_class, restate_bp, ticks, largest, state_moves },
    states_before: before.states,
    states_after: after.states,
    median_bp: absolute_basis_points?.p50 ?? null,
    largest_bp: absolute_basis_points?.highest ?? null,
  }
}

/** Returns the parameters that differ. @param before null: there is no version before */
export function parameterChanges(before: ParameterTexts | null, after: ParameterTexts): readonly ParameterChange[] {
  const names = Object.keys(PARAMETER_SHEET) as ParameterName[]
  return names.flatMap((name) => {
    const [from, to] = [before?.[name] ?? null, after[name] ?? null]
    return from === to ? [] : [{ name, before: from, after: to }]
  })
}

/** Returns how many indexes have each class. */
export function classCounts(effects: readonly IndexEffect[]): MethodologyEffects['classes'] {
  const count = (name: VersionClassName) => effects.filter(({ change_class }) => change_class === name).length
  return { text: count('text'), parameter: count('parameter'), material: count('material') }
}

/** Orders effects: the strictest class first, then the largest difference, then the id. */
export function byEffect(a: IndexEffect, b: IndexEffect): number {
  const classes = VERSION_CLASSES.indexOf(b.change_class) - VERSION_CLASSES.indexOf(a.change_class)
  const size = hundredths(b.largest_bp) - hundredths(a.largest_bp)
  return classes || size || (a.index_id < b.index_id ? -1 : 1)
}

/** Returns basis points of two decimals in hundredths; no value comes after all. */
function hundredths(basis_points: string | null): number {
  return basis_points === null ? -1 : Number(basis_points.replace('.', ''))
}

/** Forms of the data of many indexes. */
export type DataForm = 'every_tick' | 'largest_differences'

/** Most ticks of all indexes together whose lines are all written. */
const LINES_MAX = 1_000_000
/** Lines of an index if there are too many. */
const LARGEST_LINES = 50

/** Returns the form of the data. @param ticks of all indexes together */
export function dataForm(ticks: number): DataForm {
  return ticks <= LINES_MAX ? 'every_tick' : 'largest_differences'
}

/** Writes the levels of many indexes side by side as one text, each line under the id of its index, and hashes it. */
export class LevelsOfIndexes {
  readonly #form: DataForm
  readonly #sink: (lines: string) => void
  readonly #hash = createHash('sha256')
  #has_head = false

  constructor(form: DataForm, sink: (lines: string) => void) {
    this.#form = form
    this.#sink = sink
  }

  /** Returns the receiver of the lines of one index, and the function that ends them. */
  of(index_id: string): { readonly lines: (lines: string) => void; readonly end: () => void } {
    const kept: string[] = []
    const add = (text: string) => {
      const rows = text.split('\n').filter((row) => row !== '' && !this.#isHead(row))
      if (this.#form === 'every_tick') this.#write(index_id, rows)
      else kept.splice(0, kept.length, ...largestRows([...kept, ...rows]))
    }
    return { lines: add, end: () => this.#write(index_id, kept) }
  }

  digest(): string {
    return this.#hash.digest('hex')
  }

  /** The first head of all is written, with the name of the column before it. */
  #isHead(row: string): boolean {
    if (!row.startsWith('tick_at')) return false
    if (!this.#has_head) this.#emit(`index_id,${row}\n`)
    this.#has_head = true
    return true
  }

  #write(index_id: string, rows: readonly string[]): void {
    if (rows.length > 0) this.#emit(rows.map((row) => `${index_id},${row}\n`).join(''))
  }

  #emit(text: string): void {
    this.#hash.update(text)
    this.#sink(text)
  }
}

/** Column of a line that has the difference in basis points. */
const BASIS_POINTS_COLUMN = 4

/** Returns the rows with the largest differences, in the order of their ticks; a level on one side only is larger than any. */
function largestRows(rows: readonly string[]): readonly string[] {
  const sized = rows.map((row) => ({ row, size: differenceOf(row) })).filter(({ size }) => size > 0)
  sized.sort((a, b) => b.size - a.size || (a.row < b.row ? -1 : 1))
  return sized
    .slice(0, LARGEST_LINES)
    .map(({ row }) => row)
    .sort()
}

function differenceOf(row: string): number {
  const cells = row.split(',')
  const [, before, after] = cells
  if ((before === '') !== (after === '')) return Number.POSITIVE_INFINITY
  return Math.abs(Number(cells[BASIS_POINTS_COLUMN]!.replace('.', '')))
}
