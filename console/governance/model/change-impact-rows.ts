import { ELIGIBILITY_VERDICTS, type EligibilityVerdict } from '../../../vocabulary/eligibility.ts'
import { VERSION_CLASSES } from '../../../vocabulary/governance.ts'
import { trimZeros } from '../../data/decimal-text.ts'
import { showInstant } from '../../data/instant-text.ts'

/** A report as the page shows it. */
export type ImpactRows = {
  readonly facts: readonly (readonly [name: string, value: string | null])[]
  readonly sides: readonly (readonly [name: string, before: string, after: string])[]
  readonly changes: readonly {
    readonly key: string
    readonly cells: readonly [
      change: string,
      before: string | null,
      after: string | null,
      ticks: string,
      largest: string,
    ]
  }[]
}

/** The used part of an impact of a change that is not a version (tidemark.impact.v2). */
type Report = {
  readonly statement: string
  readonly kind: string
  readonly target_id: string
  readonly as_of: string
  readonly change_class: string
}

type Methodology = Report & {
  readonly parameters: readonly {
    readonly name: string
    readonly before: string | null
    readonly after: string | null
  }[]
  /** Left out of reports of tidemark.impact.2. */
  readonly changes?: readonly {
    readonly name: string
    readonly before: string | null
    readonly after: string | null
    readonly effect: { readonly ticks_different: number; readonly largest_bp: string | null }
  }[]
  readonly indexes_using: number
  readonly classes: Readonly<Record<string, number>>
  readonly indexes: readonly {
    readonly index_id: string
    readonly change_class: string
    readonly largest_bp: string | null
  }[]
  readonly not_computed: readonly unknown[]
}

type Counts = Readonly<Record<EligibilityVerdict, number>>
type Policy = Report & {
  readonly markets: { readonly before: Counts | null; readonly after: Counts; readonly no_longer_eligible: number }
  readonly indexes: readonly {
    readonly index_id: string
    readonly no_longer_eligible: readonly unknown[]
    readonly no_longer_eligible_unlisted: number
    readonly selection: { readonly entering: readonly string[]; readonly leaving: readonly string[] } | null
  }[]
}

type End = Report & {
  readonly status_before: string
  readonly status_after: string
  readonly effective_from: string
  readonly final_value: string | null
  readonly substitute: { readonly index_id: string; readonly status: string } | null
  readonly dependents: Readonly<
    Record<'proposals' | 'market_ids' | 'severity_index_ids' | 'indexes', readonly unknown[]>
  >
}

/** Indexes that the page names. */
const SHOWN_MAX = 10

/** Returns what the page shows of an impact of another kind; null: it is not one that the page knows. */
export function changeImpactRows(text: string): ImpactRows | null {
  try {
    const report = JSON.parse(text) as Report
    if (report.statement !== 'tidemark.impact.v2') return null
    const known = [
      ['Known', `${showInstant(report.as_of)} UTC`],
      ['Class', report.change_class],
    ] as const
    const { facts, sides } = partsOf(report)
    return { facts: [...known, ...facts], sides, changes: changesAlone(report) }
  } catch {
    return null
  }
}

/** Returns the effect of each parameter alone; none of a report that has no marginal effects. */
function changesAlone(report: Report): ImpactRows['changes'] {
  const { changes = [] } = report as Partial<Methodology>
  return changes.map(({ name, before, after, effect }) => {
    const largest = effect.largest_bp === null ? 'no level to compare' : `${trimZeros(effect.largest_bp)} bp`
    return { key: name, cells: [name, before ?? 'off', after ?? 'off', String(effect.ticks_different), largest] }
  })
}

function partsOf(report: Report): Pick<ImpactRows, 'facts' | 'sides'> {
  if (report.kind === 'methodology') return methodologyParts(report as Methodology)
  if (report.kind === 'eligibility_policy') return policyParts(report as Policy)
  return endParts(report as End)
}

function methodologyParts({ parameters, indexes_using, classes, indexes, not_computed }: Methodology) {
  const of_classes = VERSION_CLASSES.map((name) => `${classes[name]} ${name}`).join(', ')
  const shown = indexes.slice(0, SHOWN_MAX).map(({ index_id, change_class, largest_bp }) => {
    const largest = largest_bp === null ? 'no level to compare' : `largest ${trimZeros(largest_bp)} bp`
    return [index_id, `${change_class}, ${largest}`] as const
  })
  return {
    facts: [
      ['Indexes', `${indexes_using} use it: ${of_classes}`],
      ['Not computed', `${not_computed.length} indexes`],
      ...shown,
    ] as const,
    sides: parameters.map(({ name, before, after }) => [name, before ?? 'off', after ?? 'off'] as const),
  }
}

function policyParts({ markets, indexes }: Policy) {
  const shown = indexes.slice(0, SHOWN_MAX).map((one) => {
    const lost = one.no_longer_eligible.length + one.no_longer_eligible_unlisted
    const moves =
      one.selection === null
        ? 'no selection'
        : `selection: ${one.selection.entering.length} enter, ${one.selection.leaving.length} leave`
    return [one.index_id, `${lost} constituents no longer eligible; ${moves}`] as const
  })
  return {
    facts: [['Markets', `${markets.no_longer_eligible} no longer eligible`], ...shown] as const,
    sides: ELIGIBILITY_VERDICTS.map(
      (name) => [`Markets ${name}`, String(markets.before?.[name] ?? 'none'), String(markets.after[name])] as const,
    ),
  }
}

function endParts({ status_before, status_after, effective_from, final_value, substitute, dependents }: End) {
  const { proposals, market_ids, severity_index_ids, indexes } = dependents
  return {
    facts: [
      ['Takes effect', `${showInstant(effective_from)} UTC`],
      ['Final value', final_value],
      ['Substitute', substitute === null ? null : `${substitute.index_id}, ${substitute.status}`],
      ['Open proposals', String(proposals.length)],
      ['Markets whose rules name it', String(market_ids.length)],
      ['Severity indexes of its events', String(severity_index_ids.length)],
      ['Indexes with the same outcomes', String(indexes.length)],
    ] as const,
    sides: [['Status', status_before, status_after]] as const,
  }
}
